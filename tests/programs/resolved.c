/* Calls of functions that are chosen when they are bound: here, in a library, in the library of C. */
#include <string.h>

int picked(int x);
int other(int x);

static int mine(int x)
{
    return x + 3;
}

static int (*resolve(void))(int)
{
    return mine;
}

int own(int x) __attribute__((ifunc("resolve")));

char from[64] = "text", to[64];
volatile int n = 5;

int main(void)
{
    int r = picked(1);
    r += picked(r);
    r += other(r) + own(r);
    r += own(r);
    r += other(picked(r));
    memcpy(to, from, n);
    return r == 0;
}
