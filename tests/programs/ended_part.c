#include "ended.h"

int counter = 42;

static int halve(int n)
{
    return n / 2;
}

int work(struct cell *cell, int n)
{
    counter += n;
    cell->id += halve(n); /* halved */
    return cell->id;
}
