/* A program with a library of its own. */
#include <stdio.h>

extern int part_value;
int part(int n);
__thread int own_thread = 5;

int main(void)
{
    own_thread += part(4);
    printf("%d %d\n", part_value, own_thread);
    return 0;
}
