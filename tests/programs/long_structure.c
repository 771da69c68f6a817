/* A structure of more than 64 KiB, with another one inside. */
#include <stdlib.h>

struct lagoon {
    int rank;
    double level[100][60];
    struct tide {
        unsigned low : 3, high : 7;
        double level[40][150], bed[30][100];
        char name[16];
    } tide;
    union {
        long whole;
        char part[8];
    } code;
    double volume;
};

static void stop_here(struct lagoon *l)
{
    l->rank = 41; /* BREAK */
}

int main(void)
{
    struct lagoon *l = calloc(1, sizeof *l);
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 60; x++)
            l->level[y][x] = y + x / 64.0;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 150; x++)
            l->tide.level[y][x] = y - x / 8.0;
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 100; x++)
            l->tide.bed[y][x] = x * y;
    l->tide.low = 5;
    l->tide.high = 99;
    l->tide.name[0] = 's';
    l->code.whole = 0x41424344;
    l->volume = 2.5;
    stop_here(l);
    return 0;
}
