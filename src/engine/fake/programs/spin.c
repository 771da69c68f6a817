/* An endless loop, with a thread beside it. */
#include <stdlib.h>
#include <unistd.h>

int simulated_thread(void *function, int argument);

struct work {
    int rank;
    long rounds;
    double load[4];
};

struct work work;

static void turn(struct work *w)
{
    w->rounds++;
    w->load[w->rounds % 4] += 0.5;
}

static void watch(int every)
{
    while (1)
        usleep(every);
}

int main(void)
{
    work.rank = atoi(getenv("RANKSCOPE_RANK"));
    simulated_thread(watch, 1000);
    while (1) {
        turn(&work);
        usleep(1000);
    }
    return 0;
}
