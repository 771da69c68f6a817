/* Names to complete: what is near, and what libraries define. */
#include <stdio.h>

struct cellar {
    int level;
};
struct cell {
    double t;
};
enum colour { CRIMSON, CYAN };
typedef struct cell cell_alias;

int locked_cells = 4;

static int total(int loaded) {
    int local_sum = loaded + locked_cells;
    enum colour hue = CYAN;
    cell_alias one = {local_sum};
    struct cellar below = {hue};
    local_sum += (int)one.t + below.level; /* BREAK in total */
    return local_sum;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        sum += total(i);
    }
    printf("%d\n", sum);
    return 0;
}
