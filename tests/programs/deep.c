/* Calls through everything a stack goes through: recursion, inlining, a library's callback, a signal handler. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile int sink;

__attribute__((noinline)) void bottom(int n)
{
    sink += n;
}

static inline __attribute__((always_inline)) void middle(int n)
{
    sink++;
    bottom(n + 1);
    sink++;
}

__attribute__((noinline)) void recurse(int depth)
{
    if (depth == 0)
        middle(depth);
    else
        recurse(depth - 1);
    sink--;
}

static int compare(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    if (left == 3)
        recurse(2);
    return left - right;
}

static void on_signal(int number)
{
    int values[] = {3, 1, 2, 5, 4};
    sink = number;
    qsort(values, 5, sizeof values[0], compare);
}

__attribute__((noinline)) void aligned(double x)
{
    char buffer[64] __attribute__((aligned(64)));
    memset(buffer, (int)x, sizeof buffer);
    sink = buffer[3];
    raise(SIGUSR1);
    sink += buffer[4];
}

int main(void)
{
    signal(SIGUSR1, on_signal);
    aligned(3.0);
    return 0;
}
