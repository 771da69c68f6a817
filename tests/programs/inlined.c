/* Optimised code with functions inlined into others, at their beginning and in the middle of their lines. */
#include <stdlib.h>

volatile int sink;

static inline __attribute__((always_inline)) int twice(int x)
{
    int doubled = x + x;
    sink = doubled;
    return doubled;
}

static inline __attribute__((always_inline)) int limited(int x, int most)
{
    if (x > most)
        sink = x;
    return twice(x) + most;
}

__attribute__((noipa)) int first(int x)
{
    int y = twice(x);
    sink = y + 1;
    y += limited(x, 4);
    sink = y + 2;
    return y;
}

__attribute__((noipa)) int second(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += limited(values[i], total);
        sink = total;
    }
    return total;
}

int main(int argc, char **argv)
{
    int values[] = {argc, 2, 3};
    int total = first(argc);
    total += second(values, 3);
    sink = total;
    return argv == NULL;
}
