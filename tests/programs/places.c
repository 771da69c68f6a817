/* Code in all the forms that places are found in: plain, inlined, in loops, without parameters, static, recursive. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int id;
    double t;
    const char *name;
    struct cell *next;
};

typedef unsigned long count_t;

enum colour { RED, GREEN = 5, BLUE };

static int counter = 3;
double global_table[4] = {1.5, 2.5, 3.5, 4.5};

static inline __attribute__((always_inline)) int twice(int x)
{
    int doubled = x + x;
    return doubled;
}

__attribute__((noinline)) static int sum(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        int part = values[i];
        total += twice(part);
    }
    return total;
}

__attribute__((noinline)) int factorial(int n)
{
    if (n <= 1)
        return 1;
    return n * factorial(n - 1);
}

int empty(void)
{
    return 0;
}

__attribute__((noinline)) void visit(struct cell *c, count_t depth)
{
    while (c) {
        c->t += (double)depth;
        c = c->next;
    }
}

int main(int argc, char **argv)
{
    int values[] = {1, 2, 3};
    enum colour paint = GREEN;
    struct cell last = {2, 0.25, "last", 0};
    struct cell first = {1, 0.5, "first", &last};

    counter += sum(values, 3);
    visit(&first, 2);
    printf("%d %d %d %g %s\n", counter, factorial(4), empty() + paint, first.t, argv[0]);

    return argc > 5 ? EXIT_FAILURE : EXIT_SUCCESS;
}
