/* Variables that share their names with functions of libraries, and a function that libc has, too. Tests find lines by
 * their BREAK marks. */
#include <math.h>
#include <stdio.h>
#include <time.h>

double inner(double v)
{
    return v * 2; /* BREAK inner */
}

int strfry(int x)
{
    return x * 2; /* BREAK own */
}

int main(void)
{
    double total = 0;
    for (int round = 0; round < 3; round++) {
        total += inner(round); /* BREAK in scope */
    }
    total += round(total) + (double)time(NULL) * 0; /* BREAK out of scope */
    printf("%g\n", total + strfry(1));
    return 0;
}
