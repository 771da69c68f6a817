/* Ranks make turns until the file named by the first argument is there; those that are stopped keep nobody waiting.
   They end with the second argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long turns;

static int turn(int rank)
{
    turns++;
    return rank + 1; /* turn */
}

int main(int argc, char **argv)
{
    int rank, size, own, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = rank + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks turn\n", size);
    fflush(stdout);
    while (access(argv[1], F_OK) != 0) {
        own = turn(rank);
        usleep(1000);
    }
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks have turned\n", size);
    MPI_Finalize();
    if (sum != size * (size + 1) / 2)
        return 1;
    return argc > 2 ? atoi(argv[2]) : 0;
}
