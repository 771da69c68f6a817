/* Ranks that go different ways and return different codes. */
#include <stdio.h>
#include <stdlib.h>

int rank, size;

static int even(int n)
{
    return n * 2;
}

static int odd(int n)
{
    int twice = even(n);
    return twice + 1;
}

int main(void)
{
    int result;
    rank = atoi(getenv("RANKSCOPE_RANK"));
    size = atoi(getenv("RANKSCOPE_SIZE"));
    if (rank % 2 == 0)
        result = even(rank);
    else
        result = odd(rank);
    if (rank == size - 1)
        printf("last rank: %d\n", result);
    return result % 3;
}
