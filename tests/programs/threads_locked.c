/* Threads that count, each on its own, while the first one goes through its lines. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#define MOST 8
static volatile long counts[MOST];
static volatile int done;
static pthread_barrier_t begun;
static long total(void)
{
    long sum = 0;
    for (int i = 0; i < MOST; i++)
        sum += counts[i];
    return sum;
}
static int called(int n)
{
    int more = n + 1; /* BREAK called */
    return more;      /* BREAK leaves */
}
static void *count(void *own)
{
    pthread_barrier_wait(&begun);
    while (!done) {
        *(volatile long *)own += 1; /* BREAK count */
        sched_yield();
    }
    return own;
}
static void *ends(void *unused)
{
    pthread_barrier_wait(&begun);
    return unused; /* BREAK ends */
}
int main(int words, char **unused)
{
    pthread_t all[MOST + 1];
    pthread_barrier_init(&begun, NULL, MOST + 2);
    for (int i = 0; i < MOST; i++)
        pthread_create(&all[i], NULL, count, (void *)&counts[i]);
    pthread_create(&all[MOST], NULL, ends, NULL);
    pthread_barrier_wait(&begun);
    int n = 0;         /* BREAK first */
    n = called(n);     /* BREAK second */
    n = called(n);     /* BREAK third */
    if (words > 1 && unused)
        _exit(7);
    long until = total() + 1000; /* BREAK fourth */
    while (total() < until)
        sched_yield();
    done = 1;
    for (int i = 0; i <= MOST; i++)
        pthread_join(all[i], NULL);
    return n;
}
