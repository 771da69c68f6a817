#include <pthread.h>
static pthread_barrier_t barrier;
volatile int value;
static int work(int n)
{
    int a = n + 1; /* first */
    a *= 2;        /* second */
    return a;
}
static void *run(void *argument)
{
    pthread_barrier_wait(&barrier);
    value += work(*(int *)argument);
    for (;;)
        value++;
}
int main(void)
{
    pthread_t threads[3];
    int numbers[3] = {10, 20, 30};
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
