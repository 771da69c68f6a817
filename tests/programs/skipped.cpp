// Calls of functions that `step` is told to pass over.
#include "skipped.hpp"

static int first(int n) {
    int more = n + 1;
    return more;
}

static int second(int n) {
    int less = n - 1;
    return first(less);
}

__attribute__((always_inline)) inline int third(int n) {
    int square = n * n;
    return square;
}

static int combine(int a, int b) {
    return a * b;
}

int main() {
    tools::Box box{3};
    int total = combine(first(1), second(2));
    total += tools::twice(total) + tools::twice(0.5);
    total += third(total);
    total += box.set(box.get());
    return total > 0 ? 0 : 1;
}
