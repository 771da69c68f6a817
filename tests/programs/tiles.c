/* Each rank has its part of a field of numbers, as large as its argument says. */
#include <math.h>
#include <stdlib.h>

enum { SIDE = 512 };
static double part[SIDE][SIDE];

static int fill(int rank)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            part[i][j] = sin(i * 0.01 + rank) * cos(j * 0.02 - rank);
    return rank; /* BREAK filled */
}

int main(void)
{
    const char *rank = getenv("RANKSCOPE_RANK");
    return fill(rank ? atoi(rank) : 0) < 0;
}
