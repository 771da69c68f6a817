/* A global that a function changes in each round. */
#include <stdio.h>

static int counter;

static int change(int i) {
    counter += i; /* in change */
    return counter;
}

int main(void) {
    for (int i = 1; i < 4; i++)
        change(i);
    printf("%d\n", counter);
    return 0;
}
