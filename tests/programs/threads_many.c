#include <pthread.h>
#include <stdio.h>
enum { THREADS = 8, TURNS = 2500 };
int data = 1;
static __thread int own;
__attribute__((noinline)) void arrive(int i)
{
    own += data + (i & 0); /* here */
}
static void *run(void *unused)
{
    for (int i = 0; i < TURNS; i++)
        arrive(i);
    return (void *)(long)own;
}
int main(void)
{
    pthread_t threads[THREADS];
    long total = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < THREADS; i++) {
        void *own;
        pthread_join(threads[i], &own);
        total += (long)own;
    }
    printf("%ld\n", total);
    return total == THREADS * TURNS ? 0 : 1;
}
