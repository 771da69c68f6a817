/* A thread as libraries have them: it gets SIGUSR1, then waits in a system call. The first thread works on meanwhile. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static volatile int going = 1;

static void ignore(int signal) {
    (void)signal;
}

static void *help(void *argument) {
    pthread_kill(pthread_self(), SIGUSR1);
    poll(NULL, 0, -1); /* BREAK WAITS */
    return argument;
}

static void work(void) {
    const struct timespec pause = {0, 1000000};
    while (going)
        nanosleep(&pause, NULL);
}

int main(void) {
    pthread_t helper;
    signal(SIGUSR1, ignore);
    pthread_create(&helper, NULL, help, NULL);
    work();
    return 0;
}
