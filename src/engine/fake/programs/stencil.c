/* Heat spreads along a rod; every rank holds a piece of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 16

struct cell {
    double t;
    double flux;
    int id;
    const char *kind;
};

struct cell rod[CELLS + 2];
int rank, size;
double residual;

static double halo(int side, int iteration)
{
    int neighbour = side < 0 ? rank - 1 : rank + 1;
    if (neighbour < 0 || neighbour >= size)
        return side < 0 ? 100.0 : 0.0; /* the ends of the rod */
    return 100.0 * (size - neighbour) / (size + iteration);
}

static void exchange(int iteration)
{
    rod[0].t = halo(-1, iteration);
    rod[CELLS + 1].t = halo(1, iteration);
}

static double kernel(struct cell *c, int n, int iteration)
{
    double change = 0.0;
    for (int i = 1; i <= n; i++) {
        double before = c[i].t;
        c[i].flux = (c[i - 1].t - 2.0 * c[i].t + c[i + 1].t) / 4.0;
        c[i].t = before + c[i].flux; /* BREAK kernel */
        change += fabs(c[i].flux);
    }
    return change / n;
}

static void iterate(int steps, int faulty)
{
    for (int it = 0; it < steps; it++) {
        struct cell *c = rod;
        exchange(it);
        if (rank == faulty && it == 3)
            c = NULL; /* the bug to be found */
        residual = kernel(c, CELLS, it);
        if (rank == 0 && it % 10 == 0)
            printf("iteration %d: residual %.4f\n", it, residual);
    }
}

int main(int argc, char **argv)
{
    int faulty = argc > 2 && strcmp(argv[1], "crash") == 0 ? atoi(argv[2]) : -1;
    rank = getenv("RANKSCOPE_RANK") ? atoi(getenv("RANKSCOPE_RANK")) : 0;
    size = getenv("RANKSCOPE_SIZE") ? atoi(getenv("RANKSCOPE_SIZE")) : 1;
    for (int i = 0; i < CELLS + 2; i++) {
        rod[i].id = rank * CELLS + i - 1;
        rod[i].kind = i == 0 || i > CELLS ? "halo" : "inner";
    }
    iterate(40, faulty);
    printf("rank %d of %d: residual %.6f\n", rank, size, residual);
    return 0;
}
