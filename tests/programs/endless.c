/* Without end, as its argument says: calls a function, raises a signal, or writes lines that differ from all others. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

volatile long calls;
volatile sig_atomic_t signals;

static void call(void)
{
    calls++;
}

static void note(int number)
{
    (void)number;
    signals++;
}

int main(int argc, char **argv)
{
    char what = argc > 1 ? argv[1][0] : 'c';
    signal(SIGUSR1, note);
    for (long i = 0;; i++) {
        if (what == 'c')
            call();
        else if (what == 's')
            raise(SIGUSR1);
        else
            printf("%d writes %ld\n", (int)getpid(), i);
    }
}
