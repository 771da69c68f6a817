/* An inlined function with a part that is rarely executed: the root of a negative number. */
#include <math.h>
#include <stdio.h>

enum { COUNT = 8 };
static double squares[COUNT], roots[COUNT];

static double total(const double *all)
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += all[i];
    return sum;
}

static void take_roots(int scale)
{
    for (int i = 0; i < COUNT; i++) {
        double root = sqrt(squares[i] * scale);
        roots[i] = root > 1 ? root : 1;
    }
}

int main(int count, char **words)
{
    (void)words;
    for (int i = 0; i < COUNT; i++)
        squares[i] = i * i;
    for (int round = 0; round < count; round++)
        take_roots(count + round);
    printf("%g\n", total(roots));
    return 0;
}
