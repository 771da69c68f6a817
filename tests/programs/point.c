/* The program behind the examples of the wire page: a point that every rank has. */
#include <stdio.h>

struct point {
    int x;
    double y;
    char tag;
};

int rank, size;
struct point p = {11, 2.5, 'q'};

static int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += p.x;
    return sum;
}

int main(int argc, char **argv)
{
    int total = work(3);
    printf("total %d\n", total);
    return 0;
}
