/* A row of cells, of which two copies have an empty one; the copies wait when they are done. */
#include <stdlib.h>
#include <unistd.h>

struct cell {
    double rho, v;
};

static struct cell cells[8];
static double fluxes[8];

/* The flux between two cells. */
static double flux(int i)
{
    double left = cells[i].rho, right = cells[i + 1].rho;
    return cells[i].v * (right - left) / right;
}

static void update(void)
{
    for (int i = 0; i < 7; i++)
        fluxes[i] = flux(i);
}

int main(void)
{
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    for (int i = 0; i < 8; i++)
        cells[i] = (struct cell){0.75 + 0.25 * i, 0.5 + rank};
    if (rank == 6 || rank == 9)
        cells[4].rho = 0;
    update();
    pause();
    return 0;
}
