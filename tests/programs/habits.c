/* A little of everything that people look at first. */
#include <signal.h>
#include <stdio.h>

struct cell {
    double t;
    int id;
    const char *name;
};

int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
const char *words[2] = {"one", "two"};
int handled;
unsigned short wide[] = {'g', 0xfc, 'n', 0, 'x', 0};
unsigned int wider[] = {0x1f600, '!', 0};

static void on_signal(int number)
{
    handled = number;
}

static int add(int a, int b)
{
    int sum = a + b; /* add */
    return sum;
}

int (*adder)(int, int) = add;

static int work(struct cell *c, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total = adder(total, i);
    c->id = total;
    return total;
}

int main(void)
{
    struct cell c = {0.5, 3, "cell"};
    int result = work(&c, 4); /* call */
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    printf("%d %d\n", result, handled); /* told */
    return 0;
}
