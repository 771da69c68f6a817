/* As the bindings of MPI for Fortran: built without debug information. */
void mpi_cart_create_(int *old, int *ndims, int *dims, int *periods, int *reorder, int *made, int *error)
{
    *made = *old + *ndims * dims[0] + periods[0] + *reorder;
    *error = 0;
}
