/* A shell that takes the terminal back from its job before it hangs it up, as interactive shells do that are hung up. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int number, status;
    sigset_t wanted, before;
    if (argc < 2)
        return 2;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    sigprocmask(SIG_BLOCK, &wanted, &before);
    signal(SIGTTOU, SIG_IGN);
    pid_t job = fork();
    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(0, getpid());
        signal(SIGTTOU, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    setpgid(job, job);
    sigwait(&wanted, &number);
    tcsetpgrp(0, getpid());
    kill(job, SIGHUP);
    waitpid(job, &status, WUNTRACED);
    if (!WIFSTOPPED(status))
        return 0;
    kill(job, SIGKILL);
    return 99;
}
