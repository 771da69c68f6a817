/* Eight threads come by one place and then wait for ever. */
#include <pthread.h>
#include <unistd.h>
static pthread_barrier_t together;
__attribute__((noinline)) static void arrive(int n)
{
    __asm__ volatile("" : : "r"(n)); /* here */
}
static void *run(void *argument)
{
    pthread_barrier_wait(&together);
    arrive(*(int *)argument);
    for (;;)
        pause();
}
int main(void)
{
    static int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    pthread_t threads[8];
    pthread_barrier_init(&together, NULL, 8);
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    for (;;)
        pause();
}
