/* Eight threads write one variable: under a lock every change can be seen, without one the last. */
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 8, TIMES = 40 };
static pthread_barrier_t together;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
volatile long value;
static int locked;
static void *run(void *argument)
{
    long number = (long)argument;
    pthread_barrier_wait(&together);
    for (int i = 0; i < TIMES; i++) {
        if (locked)
            pthread_mutex_lock(&lock);
        value = number * 1000 + i + 1; /* write */
        if (locked)
            pthread_mutex_unlock(&lock);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    locked = argc < 2 || atoi(argv[1]);
    pthread_barrier_init(&together, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0; /* all joined */
}
