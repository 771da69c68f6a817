/* Creates a child by fork, vfork or vfork and exec; parent and child end with different codes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long turns;
static volatile int done;
int visit(int n)
{
    return n + 1; /* visit */
}
static void *turn(void *unused)
{
    while (!done)
        turns += visit(0) > 5;
    return unused;
}
int main(int count, char **words)
{
    int status, threads = count > 2 ? atoi(words[2]) : 0;
    pthread_t all[16];
    if (count > 1 && !strcmp(words[1], "executed"))
        return visit(30);
    for (int i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, turn, NULL);
    pid_t child;
    if (count > 1 && !strcmp(words[1], "vfork")) {
        child = vfork();
        if (child == 0)
            _exit(visit(6));
    } else if (count > 1 && !strcmp(words[1], "vfork-exec")) {
        child = vfork();
        if (child == 0) {
            execl(words[0], words[0], "executed", (char *)NULL);
            _exit(99);
        }
    } else {
        child = fork(); /* BREAK fork */
        if (child == 0) /* after */
            _exit(visit(4)); /* child */
    }
    waitpid(child, &status, 0);
    done = 1;
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    /* Whoever is at a breakpoint here that nobody knows of dies of it. */
    status = visit(WIFEXITED(status) ? 40 + WEXITSTATUS(status) : 9);
    if (count > 3) {
        FILE *file = fopen(words[3], "w");
        fprintf(file, "%d\n", status);
        fclose(file);
    }
    return status;
}
