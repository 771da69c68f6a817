/* Copies whose second one ends as the first argument says; the others end a second later. "loop": all run until the file
 * that is the second argument exists, then each writes one whose name ends in its rank. "kernel": the second waits in vfork until that file exists. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mesh {
    int cells;
};

static struct mesh *mesh;

static int refine(int level)
{
    int wanted = level * 2;
    return wanted + mesh->cells; /* BREAK crash */
}

static void asleep(void)
{
    pause(); /* BREAK hang */
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "", *number = getenv("RANKSCOPE_RANK");
    int rank = number ? atoi(number) : 0, one = rank == 1;
    printf("%s\n", argc > 3 ? argv[3] : "begun");
    fflush(stdout);
    if (!strcmp(how, "loop")) {
        char name[4096];
        while (access(argv[2], F_OK) != 0)
            usleep(10000);
        snprintf(name, sizeof name, "%s.%d", argv[2], rank);
        fclose(fopen(name, "w"));
        return 0;
    }
    if (!strcmp(how, "kernel") && one && vfork() == 0) {
        while (access(argv[2], F_OK) != 0)
            usleep(10000);
        _exit(0);
    }
    if (!strcmp(how, "kernel") && rank == 2) {
        usleep(300000);
        refine(3);
    }
    if (!strcmp(how, "hang"))
        asleep();
    if (!strcmp(how, "crash") && one)
        refine(3);
    if (!strcmp(how, "exit") && one)
        return 3;
    if (!strcmp(how, "kill") && one)
        raise(SIGKILL);
    if (strcmp(how, "fine"))
        usleep(1800000);
    if (!strcmp(how, "same"))
        return 5;
    return 0;
}
