/* Values that gdb's convenience functions and variables describe. */
#include <complex.h>

enum color { RED, GREEN = 5 };

enum color color = GREEN;
double complex wave = 1.5 - 2.5 * I;
float complex narrow = 1 + 2 * I;
char text[16] = "hello";
int numbers[3] = {1, 2, 3};

__attribute__((noinline)) static int inner(int n)
{
    return n + 1;
}

static inline __attribute__((always_inline)) int middle(int n)
{
    return inner(n) + 1;
}

__attribute__((noinline)) static int outer(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += middle(i);
    return sum;
}

static int thrice(int n)
{
    return 3 * n;
}

static int (*resolve(void))(int)
{
    return thrice;
}

/* The resolver chooses the function when the program is bound. */
int chosen(int n) __attribute__((ifunc("resolve")));

int main(void)
{
    return outer(3) + inner(7) + chosen(1) == 0;
}
