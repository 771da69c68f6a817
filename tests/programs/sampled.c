/* Looked at while it runs: one thread calls without end, the first one waits until a file is there. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long calls;

static void work(void)
{
    calls++;
}

static void *spin(void *argument)
{
    for (;;)
        work();
    return argument;
}

static int wait_for(const char *path)
{
    while (access(path, F_OK) != 0)
        usleep(1000);
    return 1;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int found = argc;
    pthread_create(&thread, NULL, spin, NULL);
    found = wait_for(argv[1]); /* BREAK waits */
    return found - 1;          /* BREAK found */
}
