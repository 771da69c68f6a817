/* Functions that the linker leaves out, small ones and one that is larger than what is in front of the code of others. */
#include <stdio.h>

#define TEN(x) x x x x x x x x x x
#define MANY(x) TEN(TEN(TEN(x)))

volatile int sink;
int lost = 7;
static int lost_too = 8;
int used = 9;

static inline __attribute__((always_inline)) int helper(int x)
{
    sink = x;
    return x * 3 + sink;
}

int dropped(int x)
{
    int y = helper(x) + lost + lost_too++;
    sink = y;
    return helper(y);
}

int dropped_and_large(int x)
{
    MANY(sink = x;)
    x = helper(x);
    MANY(sink = x;)
    return helper(x);
}

int kept(int x)
{
    int y = helper(x);
    MANY(sink = y;)
    return y + 2;
}

int main(int argc, char **argv)
{
    printf("%d\n", kept(argc) + used);
    return argv == NULL;
}
