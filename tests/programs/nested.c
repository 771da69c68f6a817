/* Inlined functions whose first instruction is that of another, which is inlined into them. */
#include <stdio.h>
volatile int sink;
static inline __attribute__((always_inline)) int inner(int x)
{
    sink = x;
    return x * 3 + sink;
}
static inline __attribute__((always_inline)) int outer(int y)
{
    int r = inner(y) + 1;
    sink = r;
    return r;
}
__attribute__((noinline)) int caller(int z)
{
    int before = z + 1;
    sink = before;
    int q = outer(before);
    return q + before;
}
int main(int argc, char **argv)
{
    if (argv == NULL)
        return 1;
    printf("%d\n", caller(argc));
    return 0;
}
