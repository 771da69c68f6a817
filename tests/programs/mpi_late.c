/* The last rank comes late to a sum: it waits until a debugger opens its gate. */
#include <mpi.h>
#include <unistd.h>

static volatile int gate;

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (rank == size - 1 && !gate)
        usleep(1000);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* BREAK reduces */
    rank += sum; /* BREAK summed */
    rank *= 2;   /* BREAK doubled */
    MPI_Finalize();
    return 0;
}
