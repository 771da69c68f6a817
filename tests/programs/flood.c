/* Writes numbered lines, long ones so that much comes quickly: as many as it is told, or without end. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long most = argc > 1 ? atol(argv[1]) : -1;
    for (long i = 0; i != most; i++)
        printf("line %ld %0120d\n", i, 0);
}
