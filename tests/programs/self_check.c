/* Adds up the bytes of its own code: a breakpoint in the code changes the sum, one in a debug register does not. */
#include <stddef.h>

typedef int (*function)(int);

int work(int n) {
    int tripled = n * 3; /* BREAK work */
    return tripled + 1;
}

int other(int n) {
    return n - 1; /* BREAK other */
}

static unsigned sum_of(function checked) {
    const volatile unsigned char *code = (const volatile unsigned char *)checked;
    unsigned sum = 0;
    for (size_t i = 0; i < 24; i++) {
        sum = sum * 31 + code[i];
    }
    return sum;
}

static unsigned before;

__attribute__((constructor)) static void remember(void) {
    before = sum_of(work);
}

int main(void) {
    int changed = 0;
    int total = 0;
    for (int i = 0; i < 4; i++) {
        changed += sum_of(work) != before;
        total += work(i) + other(i);
    }
    return total == 24 ? changed : 100; /* BREAK end */
}
