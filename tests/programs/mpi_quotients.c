/* Each rank divides its number by zero after MPI_Init, in two threads. */
#include <mpi.h>
#include <pthread.h>

static int rank;

__attribute__((noipa)) static double quotient(double a, double b) {
    return a / b; /* BREAK quotient */
}

static void *work(void *argument) {
    return quotient(rank + 1, 0) > 1e300 ? argument : NULL;
}

int main(int count, char **arguments) {
    pthread_t thread;
    void *result;
    int provided, size;
    MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_create(&thread, NULL, work, &rank);
    pthread_join(thread, &result);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return result != &rank;
}
