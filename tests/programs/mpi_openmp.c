/* Rank 1 waits for a message of rank 0, whose first thread waits in OpenMP for another one, which waits for a message. */
#include <mpi.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

static volatile int is_inside;

static void receive(int from)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* BREAK receive */
}

int main(int argc, char **argv)
{
    int rank, provided, is_critical = argc > 1 && !strcmp(argv[1], "critical");
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        receive(0);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            if (is_critical) {
#pragma omp critical(exchange)
                {
                    is_inside = 1;
                    receive(1);
                }
            } else {
                is_inside = 1;
                receive(1);
            }
        }
        while (!is_inside)
            usleep(1000);
        if (is_critical) {
#pragma omp critical(exchange) /* BREAK critical */
            is_inside = 2;
        }
#pragma omp barrier /* BREAK barrier */
    }
    MPI_Finalize();
    return 0;
}
