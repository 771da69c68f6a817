/* Calls that do not return to where they were made: longjmp out of functions and of a signal handler. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
static jmp_buf back;
static sigjmp_buf out;
static volatile int total, handled;
static int within(int n)
{
    jmp_buf own;
    int again = setjmp(own);
    if (again == 0)
        longjmp(own, n);
    return again + 1;
}
static int leave(int n)
{
    if (n == 0)
        longjmp(back, 7); /* BREAK leaves */
    return leave(n - 1) + 1;
}
static int depth(int n)
{
    if (n == 0)
        return 0;
    return depth(n - 1) + 1; /* BREAK deeper */
}
static void returns(int number)
{
    handled += number > 0; /* BREAK returns */
}
static void jumps(int number)
{
    handled += number > 0;
    siglongjmp(out, 1);
}
int main(void)
{
    signal(SIGUSR1, jumps);
    signal(SIGUSR2, returns);
    int again = setjmp(back);   /* BREAK sets */
    if (again == 0)             /* BREAK asks */
        again = leave(3);       /* BREAK jumps */
    total += again;             /* BREAK landed */
    total += within(2);         /* BREAK within */
    if (sigsetjmp(out, 1) == 0) /* BREAK marks */
        raise(SIGUSR1);         /* BREAK raises */
    raise(SIGUSR2);             /* BREAK handles */
    total += depth(5);          /* BREAK deep */
    return total + handled;     /* BREAK end */
}
