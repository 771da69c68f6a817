/* Each rank divides its number by zero behind calls of MPI around which a library changes the masks of exceptions. It exits
 * with 0 if the environment is its own. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <mpi.h>

__attribute__((noipa)) static double quotient(double a, double b) {
    return a / b; /* BREAK quotient */
}

int main(int count, char **arguments) {
    double result;
    int rank, flags;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    result = quotient(rank + 1, 0);
    flags = fetestexcept(FE_DIVBYZERO);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return !isinf(result) || !flags || fegetexcept() != 0;
}
