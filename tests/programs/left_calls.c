/* A function that is called by the program, and by the debugger. */
#include <stdio.h>

int last;

int fill(int i)
{
    int k = i * 2; /* inside */
    last = k;
    return k + 1;
}

int main(void)
{
    int a = 0;
    for (int n = 0; n < 3; n++)
        a += n; /* outside */
    a += fill(3);
    printf("%d %d\n", a, last);
    return 0;
}
