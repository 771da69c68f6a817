/* One program for every engine: the simulated one reads it, the others debug what a compiler makes of it. It keeps to
 * the subset of C that the simulated engine knows. Tests find lines by their BREAK marks. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mood { CALM, BUSY = 5 };

struct cell {
    double t;
    int id;
    enum mood mood;
    char name[8];
};

int rank, size;
int counter;
int handled;
double table[4] = {0.5, 1.5, -2.0, 0.0};
struct cell shared = {2.5, 7, BUSY, "seven"};

static int leaf(int x)
{
    int y = x + 1; /* BREAK leaf */
    counter++;     /* BREAK count */
    return y;      /* BREAK leaf return */
} /* BREAK leaf end */

static int recurse(int n)
{
    if (n == 0)
        return leaf(rank); /* BREAK bottom */
    return recurse(n - 1) + 1;
}

static int inspect(struct cell *c, int n)
{
    long total = 0;
    const char *text = "hello";
    struct cell copy = *c;
    int squares[5];
    for (int i = 0; i < 5; i++)
        squares[i] = i * i * n;
    if (n > 0) {
        int inner = n * 10;
        total = squares[4] + inner; /* BREAK inspect */
    }
    return (int)total + copy.id + (int)strlen(text);
}

static int sum(int n)
{
    int result = 0;
    for (int i = 0; i < n; i++) {
        result += i; /* BREAK sum */
    }
    return result; /* BREAK sum return */
}

static int branch(void)
{
    int way;
    if (rank % 2 == 0)
        way = 10; /* BREAK even */
    else
        way = 11; /* BREAK odd */
    return way;   /* BREAK branched */
}

static void on_signal(int number)
{
    handled = number; /* BREAK handler */
}

static void fault(const char *how)
{
    int *nowhere = NULL;
    if (strcmp(how, "segv") == 0)
        *nowhere = 1; /* BREAK segv */
    if (strcmp(how, "fpe") == 0)
        counter = counter / handled; /* BREAK fpe */
    if (strcmp(how, "abort") == 0)
        abort();
}

static void spin(void)
{
    while (1)
        counter++; /* BREAK spin */
}

static int work(void)
{
    int a = leaf(1);          /* BREAK first call */
    int b = leaf(2) + leaf(a); /* BREAK two calls */
    a = recurse(3);           /* BREAK recursion */
    b += sum(10);             /* BREAK loop call */
    a += branch();            /* BREAK branch call */
    b += inspect(&shared, rank + 1);
    return a + b; /* BREAK work return */
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "work"; /* BREAK main */
    int result = 0;
    rank = atoi(getenv("RANKSCOPE_RANK"));
    size = atoi(getenv("RANKSCOPE_SIZE"));
    if (strcmp(mode, "work") == 0)
        result = work();
    if (strcmp(mode, "exit") == 0)
        exit(atoi(argv[2])); /* BREAK exit */
    if (strcmp(mode, "spin") == 0)
        spin();
    if (strcmp(mode, "output") == 0) {
        printf("hello from everyone\n");
        printf("rank %d of %d\n", rank, size);
        fflush(stdout);
        fprintf(stderr, "to standard error\n");
    }
    if (strcmp(mode, "signal") == 0) {
        signal(SIGUSR1, on_signal);
        raise(SIGUSR1);
        counter += 100; /* BREAK after signal */
        raise(SIGUSR2); /* BREAK deadly */
    }
    fault(mode);
    return result == 0 ? 0 : 1; /* BREAK main return */
}
