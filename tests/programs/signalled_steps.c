/* Signals that come while lines are stepped: many that are passed on quietly, one that stops. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

volatile int handled;

static void on_signal(int number)
{
    handled += number > 0; /* in the handler */
}

int main(void)
{
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    int result = 0;
    signal(SIGALRM, on_signal);
    signal(SIGUSR2, on_signal);
    setitimer(ITIMER_REAL, &often, 0); /* begin */
    while (handled < 50)               /* ticking */
        result ^= handled;
    setitimer(ITIMER_REAL, &never, 0); /* ticked */
    kill(getpid(), SIGUSR2);           /* stops */
    return result & 1;                 /* behind */
}
