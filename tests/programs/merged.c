/* Reads an element outside of memory in a function that gcc makes part of its caller, without a frame of its own. Both
 * have a variable of the same name. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    double *data;
    int n;
};

static inline double at(const struct grid *p, long i) { return p->data[i]; } /* BREAK at */

static double sum(const struct grid *g, long i)
{
    const struct grid *p = NULL;
    double s = 0;
    for (long k = 0; k < 3; k++)
        s += at(g, i * 100000000 + k);
    return p ? 0 : s;
}

int main(int argc, char **argv)
{
    struct grid grid = {malloc(800), 100};
    (void)argv;
    printf("%g\n", sum(&grid, argc * 100));
    return 0;
}
