/* A list, a loop and calls, for scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    const char *name;
    struct node *next;
};

static struct node *list;
static int rank, calls;
static double sum;

static void add(int value, const char *name) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->name = name;
    node->next = list;
    list = node;
}

static int tick(int n, double weight) {
    calls++;
    sum += n * weight; /* in tick */
    return calls;
}

static void last(const char *word) {
    calls = -calls; /* in last */
    printf("%s %d\n", word, calls);
}

int main(void) {
    const char *number = getenv("RANKSCOPE_RANK");
    rank = number ? atoi(number) : 0;
    add(10, "ten");
    add(-20, "minus");
    add(30, "thirty");
    for (int i = 0; i < 4; i++)
        tick(i, 0.5);
    last("end");
    return rank;
}
