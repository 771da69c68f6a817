/* Three threads wait for SIGUSR1, each for its own. Ends well when each has got it once. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
enum { THREADS = 3 };
static pthread_t threads[THREADS];
static pthread_barrier_t together;
static volatile sig_atomic_t got[THREADS];
static void count(int signal)
{
    for (int i = 0; i < THREADS; i++)
        if (pthread_equal(pthread_self(), threads[i]))
            got[i] += signal == SIGUSR1;
}
static int all(void)
{
    return got[0] && got[1] && got[2];
}
static void *run(void *argument)
{
    const struct timespec pause = {0, 1000000};
    pthread_barrier_wait(&together);
    while (!all())
        nanosleep(&pause, NULL);
    return argument;
}
static void at_work(void)
{
}
int main(void)
{
    signal(SIGUSR1, count);
    pthread_barrier_init(&together, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    pthread_barrier_wait(&together);
    at_work();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return got[0] + got[1] + got[2] != THREADS; /* counted */
}
