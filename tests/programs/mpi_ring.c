/* A token goes round all ranks twice; each adds its number. */
#include <mpi.h>
#include <stdio.h>

static int add_own(int token, int rank)
{
    int sum = token + rank;
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int lap = 0; lap < 2; lap++) {
        if (rank > 0 || lap > 0)
            MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, lap - (rank == 0), MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        token = add_own(token, rank);
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, lap, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Recv(&token, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("token %d\n", token);
    }
    fprintf(stderr, "rank %d of %d is done\n", rank, size);
    MPI_Finalize();
    return 0;
}
