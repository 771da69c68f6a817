/* Its first thread has ended; the other turns until it is told to end. */
#include <pthread.h>
#include <stdlib.h>
volatile long turns, over;
static void turn(void)
{
    turns++; /* turn */
}
static void *run(void *unused)
{
    while (!over)
        turn();
    exit(7);
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_exit(NULL);
}
