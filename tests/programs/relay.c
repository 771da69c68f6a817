/* Ranks that pass through the same code with values of their own, end differently, or with an argument never end. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct cell {
    double t;
    int id;
};

int rank, size;

static int work(struct cell *c, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += c[i].id; /* BREAK work */
    return sum;
}

int main(int argc, char **argv)
{
    struct cell cells[3];
    rank = atoi(getenv("RANKSCOPE_RANK"));
    size = atoi(getenv("RANKSCOPE_SIZE"));
    for (int i = 0; i < 3; i++) {
        cells[i].t = rank + 0.5 * i;
        cells[i].id = i + 1;
    }
    for (int it = 0; it < 2; it++) {
        int total = work(cells, 3); /* BREAK call */
        printf("it %d: %d\n", it, total);
    }
    while (argc > 1)
        usleep(1000);
    if (rank == 3)
        printf("rank %d of %d\n", rank, size);
    return rank == 3 ? 7 : 0;
}
