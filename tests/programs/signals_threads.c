/* signals_threads PROCESS THREAD…: sends SIGUSR1 to each of these threads. */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        if (syscall(SYS_tgkill, atoi(argv[1]), atoi(argv[i]), SIGUSR1) != 0)
            return 1;
    return 0;
}
