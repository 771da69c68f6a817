#include <stdio.h>
static int square(int a)
{
    int b = a * a;
    return b;
}
int total;
int main(void)
{
    for (int i = 0; i < 3; i++) {
        total += square(i); /* call */
        printf("total %d\n", total);
    }
    return 7; /* end */
}
