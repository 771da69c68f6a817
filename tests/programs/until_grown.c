/* A frame that grows while its function runs, and a function that is in it again, deeper. */
#include <string.h>
static int grow(int n, int depth)
{
    int sum = depth; /* BREAK first */
    char room[n];
    memset(room, depth, n);
    if (depth > 0)
        sum += grow(n, depth - 1);
    sum += room[n - 1]; /* BREAK last */
    return sum;
}
int main(void)
{
    return grow(4096, 2);
}
