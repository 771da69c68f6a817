/* A variable that other functions, the C library and another thread write, while locals of their callers are asked for. */
#include <pthread.h>
#include <string.h>
int total;
static void *(*volatile copies)(void *, const void *, size_t) = memcpy;
static void add(int by)
{
    int rank = 99;
    total += by; /* in a callee */
    rank -= by;
}
static void dig(int depth)
{
    int mine = depth;
    add(1);
    if (mine > 0)
        dig(depth - 1);
    add(1); /* dug */
}
static void helps(int near)
{
    int seen = near + 1;
    add(1); /* helps */
    total += seen;
}
static void *runs(void *unused)
{
    add(1); /* in another thread */
    return unused;
}
int main(void)
{
    int rank = 0, size = 100;
    static int calls;
    pthread_t other;
    total = 1; /* begin */
    for (rank = 0; rank < 4; rank++) {
        add(1);
        calls++;
    }
    copies(&total, &size, sizeof total); /* by the library */
    rank = 0;
    copies(&total, &rank, sizeof total);
    {
        int rank = 7;
        add(rank);
        rank = 0;
        add(rank + 5);
    }
    dig(3);
    helps(2);
    add(1); /* after helps */
    helps(0);
    pthread_create(&other, 0, runs, 0);
    pthread_join(other, 0);
    total += calls; /* at the end */
    return 0;
}
