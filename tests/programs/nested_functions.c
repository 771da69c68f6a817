/* Functions within functions, an extension of GNU C, see the variables of the function around them. */
#include <stdio.h>

static int total = -1;

static int apply(int (*function)(int), int n) {
    return function(n);
}

static int outer(int depth, int (*earlier)(int)) {
    int total = depth * 10, hidden = depth;
    int add(int n) {
        int own = n + total;
        int hidden = 100;
        int deepest(int k) {
            total += k + hidden; /* BREAK deepest */
            return total;
        }
        return deepest(own);
    }
    if (depth > 0) {
        return outer(depth - 1, depth == 2 ? add : earlier);
    }
    return apply(earlier, 1) + hidden;
}

int main(void) {
    printf("%d %d\n", outer(2, 0), total);
    return 0;
}
