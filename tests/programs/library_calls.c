/* Stops inside the C library: a signal that it raises, and a lock that is never released. */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void complain(void)
{
    raise(SIGUSR1); /* BREAK raises */
}

static void lock_twice(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex); /* BREAK locks */
}

int main(void)
{
    signal(SIGUSR1, SIG_IGN);
    complain();
    lock_twice();
    return 0;
}
