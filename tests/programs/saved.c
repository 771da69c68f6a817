/* Data that a user saves in files. */
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
    int id;
    double mass;
    float position[3];
};

struct flags {
    unsigned low : 3;
    int middle : 7;
};

struct point {
    double x;
    float y;
};

/* With gaps, structs in structs, and members without names of their own. */
struct shape {
    char tag;
    int sides;
    struct point at;
    struct point corners[2];
    short levels[2][3];
    union {
        int whole;
        float part;
    } either;
    struct {
        bool shown;
        unsigned short mask;
    };
    double *data;
    char last;
};

double grid[3][4];
float single[5] = {0.1f, -2.5f, 1e30f, 0, 3};
signed char bytes[4] = {1, -2, 3, -4};
unsigned long large[2] = {18446744073709551615ul, 7};
bool truths[3] = {true, false, true};
double complex waves[2] = {1.5 - 2.0 * I, 3.0 * I};
long double extended[2] = {1.0L / 3.0L, 2.0L};
struct particle particles[3];
struct flags flags = {5, -3};
struct flags several_flags[2];
struct shape shapes[2][2];
struct wide {
    int narrow;
    __int128 wide;
} wide[2];
int *list;
int count;
int ragged;
double *big;
long big_count = 1 << 20;
char target[16];

__attribute__((noinline)) int ready(int rank)
{
    return rank + grid[0][0] > 0; /* stop here */
}

int main(void)
{
    const char *text = getenv("RANKSCOPE_RANK");
    int rank = text ? atoi(text) : 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++)
            grid[i][j] = 100 * rank + 10 * i + j + 0.5;
        particles[i] = (struct particle){i, i + 0.25, {i, i + 1, i + 2}};
    }
    for (int i = 0; i < 4; i++)
        shapes[i / 2][i % 2] = (struct shape){'a' + i, 10 * i, {i, i + 0.5f}, {{1, 2}, {i, 4}}, {{i, 1}, {2, 3}}, {7},
                                              .shown = i % 2, .mask = 65535, .data = &grid[0][i], .last = 'z'};
    count = 6;
    list = malloc(count * sizeof *list);
    for (int i = 0; i < count; i++)
        list[i] = 1000 * rank + i;
    ragged = rank + 1;
    big = malloc(big_count * sizeof *big);
    for (long i = 0; i < big_count; i++)
        big[i] = i + rank;
    printf("%d\n", ready(rank));
    printf("target %d\n", target[3]);
    return 0;
}
