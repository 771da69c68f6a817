/* A function like MPI_Cart_create with debug information, and a call of it as from Fortran without. */
#include <stdlib.h>

int MPI_Cart_create(int old, int ndims, const int dims[], const int periods[], int reorder, int *made)
{
    int cells = 1;
    for (int i = 0; i < ndims; i++)
        cells *= dims[i]; /* sizes */
    *made = old + cells + periods[0] + reorder;
    return 0;
}

void mpi_cart_create_(int *old, int *ndims, int *dims, int *periods, int *reorder, int *made, int *error);

int main(void)
{
    int dims[3] = {2, 1, 2}, periods[3] = {0, 0, 0}, made = 0, ndims = 3, old = 0, reorder = 0, error = 0;
    MPI_Cart_create(0, 3, dims, periods, 0, &made);
    dims[0] = 4;
    dims[2] = 1;
    mpi_cart_create_(&old, &ndims, dims, periods, &reorder, &made, &error);
    dims[0] = -4;
    MPI_Cart_create(0, 3, dims, periods, 0, &made);
    return made == 0; /* end */
}
