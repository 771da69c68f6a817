/* A launcher of two processes that speaks MPIR, with a table that has faults: rank 1 is rank 0 again, rank 2 is dead. When
   rank 0 ends it ends the job. What STARTER_LATE says it writes after that, as launchers write what comes from far ranks. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
struct descriptor {
    char *host, *program;
    int pid;
} *MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_being_debugged, MPIR_debug_state, MPIR_partial_attach_ok;
char *MPIR_debug_abort_string;
__attribute__((noinline)) void MPIR_Breakpoint(void)
{
    __asm__ volatile("");
}
static int start(char **words)
{
    int pid = fork();
    if (pid == 0) {
        execvp(words[0], words);
        _exit(127);
    }
    return pid;
}
int main(int argc, char **argv)
{
    char host[256] = "";
    struct descriptor table[4];
    int dead, pids[2];
    if (argc < 2 || !MPIR_being_debugged)
        return 9;
    gethostname(host, sizeof host - 1);
    pids[0] = start(argv + 1);
    pids[1] = start(argv + 1);
    dead = fork();
    if (dead == 0)
        _exit(0);
    waitpid(dead, NULL, 0);
    for (int i = 0; i < 4; i++)
        table[i] = (struct descriptor){host, argv[1], i == 2 ? dead : pids[i / 3]};
    if (getenv("STARTER_HOST"))
        table[3].host = getenv("STARTER_HOST");
    MPIR_proctable = table;
    MPIR_proctable_size = 4;
    MPIR_debug_state = 1;
    MPIR_Breakpoint();
    waitpid(pids[0], NULL, 0);
    MPIR_debug_abort_string = "rank 0 is gone";
    MPIR_debug_state = 2;
    MPIR_Breakpoint();
    kill(pids[1], SIGKILL);
    waitpid(pids[1], NULL, 0);
    if (getenv("STARTER_LATE")) {
        usleep(300000);
        puts(getenv("STARTER_LATE"));
    }
    return 3;
}
