/* Optimised code in which variables have no value any more, while their function goes on. */
#include <stdio.h>
volatile int sink, input = 1;
__attribute__((noinline)) int use(int x)
{
    sink += x;
    return x * 3;
}
__attribute__((noinline)) int work(int n)
{
    int count = use(n);
    int other = use(count + 1); /* BREAK counted */
    count += other;
    sink = count; /* BREAK changed */
    int third = use(other);
    int fourth = use(third * 2);
    return fourth + third;
}
int main(int argc, char **argv)
{
    int result = work(input);
    printf("%d\n", result);
    return argc == 0 || argv == NULL;
}
