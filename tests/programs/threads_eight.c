/* Eight threads that call the same function over and over; what they have done is counted. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#define THREADS 8
static long rounds, total;
static pthread_barrier_t begun;
static int inner(int n)
{
    int more = n + 1; /* BREAK inner */
    return more;
}
static void *work(void *own)
{
    char name[16];
    snprintf(name, sizeof name, "worker-%ld", (long)own);
    pthread_setname_np(pthread_self(), name);
    pthread_barrier_wait(&begun);
    for (int i = 0; i < rounds; i++) {
        int result = inner(i);                                        /* BREAK calls */
        __atomic_add_fetch(&total, result - i, __ATOMIC_SEQ_CST);     /* BREAK counts */
    }
    for (int i = 0; i > rounds; i--)
        raise(SIGUSR1);
    pthread_exit(own); /* BREAK exits */
}
int main(int count, char **words)
{
    pthread_t all[THREADS];
    rounds = count > 1 ? atol(words[1]) : 4;
    signal(SIGUSR1, SIG_IGN);
    pthread_barrier_init(&begun, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&all[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    return rounds < 0 || total == THREADS * rounds ? 3 : 4;
}
