/* Ranks stop in the same function, each at a depth of its own; the last one elsewhere. */
#include <stdio.h>
#include <stdlib.h>

volatile int sink;

static void leaf(int n)
{
    sink = n; /* leaf */
}

static void sweep(int n, int left)
{
    int mine = 100 * n + left;
    if (left > 0)
        sweep(n, left - 1);
    else
        leaf(n);
    sink = mine; /* swept */
}

static void solve(int rank)
{
    double residual = rank + 0.5;
    sweep(rank, rank);
    sink = (int)residual; /* solved */
}

static void other(int rank)
{
    int residual = -1;
    leaf(rank);
    sink = residual;
}

int main(void)
{
    const char *text = getenv("RANKSCOPE_RANK");
    int rank = text ? atoi(text) : 0;
    if (rank == 3)
        other(rank);
    else
        solve(rank);
    printf("%d\n", sink);
    return 0;
}
