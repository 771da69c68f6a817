/* A handler that is left by steps, and a call by a stub that is not bound before. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int handled;

static void on_signal(int number)
{
    handled += number; /* in the handler */
    handled++;
} /* handler ends */

int main(int argc, char **argv)
{
    long result = SYS_kill;
    long self = getpid();
    signal(SIGUSR1, on_signal);
    /* Comes back in the middle of the line. */
    __asm__ volatile("syscall\n\tnop" : "+a"(result) : "D"(self), "S"((long)SIGUSR1) : "rcx", "r11", "memory");
    handled += argc; /* goes on */
    double root = sqrt(argc + 3.0); /* calls */
    printf("%s %d %g\n", argv[0], handled, root); /* called */
    return 0;
}
