/* The last rank receives in vain. Optimised, only the compiler's description of the calls says from whom. */
#include <mpi.h>

static int rank, size;
static MPI_Comm world = MPI_COMM_WORLD;

/* It leaves its frame to what it calls. */
static __attribute__((noinline)) int sum(int *total)
{
    return MPI_Allreduce(&rank, total, 1, MPI_INT, MPI_SUM, world); /* BREAK all */
}

static __attribute__((noinline)) int receive(int from, int tag)
{
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, from, tag, world, MPI_STATUS_IGNORE); /* BREAK receive */
    return value + from + tag;
}

int main(int argc, char **argv)
{
    int total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    if (rank == size - 1)
        total = receive(rank - 2, size + 3);
    total += sum(&total);
    MPI_Finalize();
    return total == 0;
}
