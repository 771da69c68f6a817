#include <unistd.h>
#include <pthread.h>
#include <stdlib.h>
static char **arguments;
static void *run(void *unused)
{
    if (arguments[2][0] == 't')
        execv(arguments[1], arguments + 1);
    pause();
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    arguments = argv;
    pthread_create(&thread, NULL, run, NULL);
    if (argv[2][0] != 't')
        execv(argv[1], argv + 1); /* exec */
    pause();
}
