/* A rank that works for ever: one call and a short sleep an iteration. */
#include <stdlib.h>
#include <unistd.h>

struct cell {
    double t;
    int id;
    const char *name;
};

volatile int turn;

static int kernel(int rank, int it)
{
    struct cell c = {rank * 0.5, it, "cell"};
    turn = it;
    return (int)c.t + c.id;
}

int main(void)
{
    int rank = 0;
    int sum = 0;
    for (int it = 0;; it++) {
        sum += kernel(rank, it);
        usleep(1000);
    }
    return sum;
}
