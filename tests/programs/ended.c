/* One of the two files of a program that is asked about after its end; the other is ended_part.c. */
#include <stdio.h>
#include <stdlib.h>
#include "ended.h"

const char greeting[] = "good morning";
static int table[4] = {1, 2, 3, 4};
struct cell first = {1.5, 7};
static char room[64];
int empty;

int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += work(&first, table[i]);
    room[3] = 'x';
    empty = sum;
    printf("%d %s\n", sum, greeting);
    return argc > 1 ? atoi(argv[1]) : 0;
}
