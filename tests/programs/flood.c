/* Writes without end: numbered lines, long ones so that much comes quickly. */
#include <stdio.h>

int main(void)
{
    for (long i = 0;; i++)
        printf("line %ld %0120d\n", i, 0);
}
