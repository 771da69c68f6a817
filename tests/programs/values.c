/* Variables of all types and in all kinds of places. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int id;
    double t;
    const char *name;
    struct cell *next;
};

union word {
    unsigned int whole;
    unsigned short halves[2];
};

struct flags {
    unsigned low : 3;
    int middle : 7;
    unsigned long high : 40;
};

typedef unsigned long count_t;
enum colour { RED, GREEN = 5, BLUE };
struct small {
    short a, b;
    float c;
};

double table[4] = {1.5, 2.5, 3.5, 4.5};
static __thread int per_thread = 77;
volatile int sink;

__attribute__((noinline)) int leaf(int depth, struct cell *c, const char *text)
{
    int local = depth * 2;
    static int calls = 5;
    calls++;
    sink = local + c->id + text[0] + calls;
    return sink;
}

static inline __attribute__((always_inline)) double scale(double x, int by)
{
    double scaled = x * by;
    sink = (int)scaled;
    return scaled;
}

__attribute__((noinline)) double scaled(struct small s, float f, long n)
{
    double first = scale(f, s.a);
    const int unused = 9;
    double second = scale(first, (int)n);
    sink += 2; /* all are known */
    return first + second;
}

__attribute__((noinline)) int walk(int n, count_t count)
{
    struct cell cell = {n, 0.25, "cell", 0};
    enum colour paint = GREEN;
    union word w = {0x01020304};
    struct flags f = {5, -3, 1UL << 35};
    int shadow = 11;
    int vector[n];
    char letter = 'x';
    int (*function)(int, struct cell *, const char *) = leaf;
    for (int i = 0; i < n; i++)
        vector[i] = i * i;
    {
        int shadow = 22;
        sink = shadow + vector[0] + per_thread;
        sink += function(n, &cell, cell.name);
        sink += shadow; /* within a block */
    }
    sink += shadow + paint + w.whole + f.low + letter + (int)count;
    return sink;
}

int main(void)
{
    struct small s = {3, 4, 0.5f};
    int total = walk(3, 9);
    double x = scaled(s, 1.25f, 7);
    printf("%d %g\n", total, x + table[1]);
    return 0;
}
