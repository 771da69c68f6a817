/* 32 threads come by one place TIMES times each and count it. A debugger counts in `seen` what it sees. */
#include <pthread.h>
enum { THREADS = 32, TIMES = 400 };
long seen;
static long arrived;
static pthread_barrier_t together;
__attribute__((noinline)) static int arrive(int n)
{
    __atomic_add_fetch(&arrived, 1, __ATOMIC_RELAXED); /* here */
    return n + 1;
}
static void *run(void *unused)
{
    long wrong = 0;
    pthread_barrier_wait(&together);
    for (int i = 0; i < TIMES; i++)
        wrong += arrive(i) != i + 1;
    pthread_barrier_wait(&together);
    pthread_barrier_wait(&together); /* until main has checked */
    return (void *)wrong;
}
__attribute__((noinline)) static void check(long wrong)
{
    __asm__ volatile("" : : "r"(wrong)); /* all came */
}
int main(void)
{
    pthread_t threads[THREADS];
    long wrong = 0;
    pthread_barrier_init(&together, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    pthread_barrier_wait(&together);
    pthread_barrier_wait(&together);
    check(wrong);
    pthread_barrier_wait(&together);
    for (int i = 0; i < THREADS; i++) {
        void *own;
        pthread_join(threads[i], &own);
        wrong += (long)own;
    }
    return arrived == THREADS * TIMES ? (int)wrong : 99;
}
