/* Makes a grid of ranks, two rows of half as many columns, and exchanges a number in it. Built without MPI's debug
   information: the sizes are in the registers of the call. */
#include <mpi.h>
#include <stdio.h>

static double heat;

int main(int argc, char **argv)
{
    int size, rank, at[2], up, down;
    int dims[2] = {2, 0}, periods[2] = {0, 1};
    double other = 0;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dims[1] = size / 2;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_shift(grid, 1, 1, &up, &down);
    heat = 10.0 * at[0] + at[1];
    MPI_Sendrecv(&heat, 1, MPI_DOUBLE, down, 1, &other, 1, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE); /* exchange */
    printf("%d %g\n", rank, heat + other);
    MPI_Finalize();
    return 0;
}
