/* Two ranks that wait for each other, each with a thread that makes no call of MPI and gets SIGUSR1. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void ignore(int signal) {
    (void)signal;
}

static int beats;

static void beat(void) {
    beats++; /* BREAK beats */
    usleep(10000);
}

static void *help(void *argument) {
    pthread_kill(pthread_self(), SIGUSR1);
    for (;;)
        beat();
    return argument;
}

int main(int argc, char **argv) {
    int rank, provided, got = 0;
    pthread_t helper;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGUSR1, ignore);
    pthread_create(&helper, NULL, help, NULL);
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* BREAK receives */
    MPI_Finalize();
    return 0;
}
