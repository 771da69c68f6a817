/* Particles of each rank, a sum over them, and a token that goes round. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x[3];
    int id;
} particle;

static double sum_sq(const particle *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            s += p[i].x[d] * p[i].x[d];
    return s;
}

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = 10; /* BREAK ranked */
    particle *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) {
        p[i].id = rank * n + i;
        for (int d = 0; d < 3; d++)
            p[i].x[d] = i + d * rank;
    }
    for (int round = 0; round < 3; round++) {
        if (size > 1) {
            if (rank == 0) {
                token = round;
                MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
            }
        }
        double s = sum_sq(p, n);
        printf("round %d rank %d sum %g\n", round, rank, s);
    }
    free(p);
    MPI_Finalize();
    return 0;
}
