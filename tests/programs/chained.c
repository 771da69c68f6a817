/* Arrivals whose condition reads other memory each time, and signals like those that breakpoints make. */
#include <signal.h>
#include <stdlib.h>
struct link {
    int value;
    struct link *next;
};
static int total;
static int follow(int depth, struct link *at)
{
    int value = at->value;
    total += value; /* follow */
    return depth > 0 ? value + follow(depth - 1, at->next) : value;
}
int main(void)
{
    struct link *first = 0;
    for (int i = 40; i > 0; i--) {
        struct link *made = malloc(sizeof *made + (size_t)(i % 7) * 4096);
        made->value = i;
        made->next = first;
        first = made;
    }
    for (int round = 0; round < 3; round++) {
        follow(39, first);
        raise(SIGTRAP); /* raised */
    }
    return total == 3 * 820 ? 0 : 1;
}
