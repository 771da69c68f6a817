/* Heat in a plate, cut into bands: each rank relaxes its own. A program to learn a debugger with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROWS 6
#define COLUMNS 10

enum kind { INNER, EDGE, HALO };

struct cell {
    double t;         /* temperature */
    double flux;      /* what came in during the last iteration */
    enum kind kind;
    const char *name; /* of its kind */
};

struct band {
    int rank, size;
    struct cell cells[ROWS + 2][COLUMNS]; /* rows 0 and ROWS + 1 are the halo */
    double residual;
    struct band *self;
};

static const char *const kinds[] = {"inner", "edge", "halo"};

static void fill(struct band *band, int rank, int size)
{
    memset(band, 0, sizeof *band);
    band->rank = rank;
    band->size = size;
    band->self = band;
    for (int row = 0; row < ROWS + 2; row++)
        for (int column = 0; column < COLUMNS; column++) {
            struct cell *c = &band->cells[row][column];
            c->kind = row == 0 || row == ROWS + 1 ? HALO : column == 0 || column == COLUMNS - 1 ? EDGE : INNER;
            c->name = kinds[c->kind];
            c->t = c->kind == EDGE ? 25.0 : 0.0;
        }
}

/* Without a library to talk with, the rows of the neighbours are worked out from their ranks. */
static void exchange_halo(struct band *band, int iteration)
{
    double warmth = (iteration + 1.0) / (iteration + 20.0);
    for (int column = 0; column < COLUMNS; column++) {
        double above = band->rank == 0 ? 100.0 : 100.0 * warmth / (band->rank + 1);
        double below = band->rank == band->size - 1 ? 0.0 : 100.0 * warmth / (band->rank + 3);
        band->cells[0][column].t = above;
        band->cells[ROWS + 1][column].t = below;
    }
}

static double update_row(struct band *band, int row)
{
    double change = 0.0;
    for (int column = 1; column < COLUMNS - 1; column++) {
        struct cell *c = &band->cells[row][column];
        double around = band->cells[row - 1][column].t + band->cells[row + 1][column].t + c[-1].t + c[1].t;
        c->flux = around / 4.0 - c->t;
        c->t += 0.8 * c->flux;
        change += c->flux < 0 ? -c->flux : c->flux;
    }
    return change;
}

static double relax(struct band *band)
{
    double sum = 0.0;
    for (int row = 1; row <= ROWS; row++)
        sum += update_row(band, row);
    return sum / (ROWS * (COLUMNS - 2));
}

int main(int argc, char **argv)
{
    const char *rank = getenv("RANKSCOPE_RANK"), *size = getenv("RANKSCOPE_SIZE");
    int iterations = argc > 1 ? atoi(argv[1]) : 600;
    struct band band;

    fill(&band, rank ? atoi(rank) : 0, size ? atoi(size) : 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int iteration = 0; iteration < iterations; iteration++) {
        exchange_halo(&band, iteration);
        band.residual = relax(&band);
        if (iteration % 10 == 0)
            printf("iteration %d: residual %.6f\n", iteration, band.residual);
        usleep(100000);
    }
    printf("rank %d of %d is done: residual %.6f\n", band.rank, band.size, band.residual);
    return 0;
}
