/* Compiled with -O2: inlined functions, variables without a place. */
#include <stdio.h>
#include <stdlib.h>

struct item {
    int key;
    double weight;
};

static inline double scale(double w, int by)
{
    int twice = by * 2;
    return w * twice;
}

static inline double total(const struct item *items, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += scale(items[i].weight, items[i].key);
    return sum;
}

__attribute__((noinline)) void report(const char *what, double value)
{
    printf("%s %g\n", what, value); /* BREAK report */
}

__attribute__((noinline)) int work(int n)
{
    int unused = n * 3;
    struct item *items = malloc(n * sizeof *items);
    for (int i = 0; i < n; i++) {
        items[i].key = i;
        items[i].weight = 0.5 * i;
    }
    report("total", total(items, n));
    free(items);
    return n + 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    return work(argc + 4) == 6 ? 0 : 1;
}
