#include <pthread.h>
#include <unistd.h>
volatile int turns;
static void *run(void *unused)
{
    for (;;)
        turns++; /* turn */
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_exit(NULL);
}
