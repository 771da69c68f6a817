/* The last rank waits for a message that nobody sends, the others for the last rank. */
#include <mpi.h>

static void rebalance(int rank)
{
    int surplus = rank;
    MPI_Recv(&surplus, 1, MPI_INT, 0, 200, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* BREAK receives */
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == size - 1)
        rebalance(rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* BREAK reduces */
    MPI_Finalize();
    return 0;
}
