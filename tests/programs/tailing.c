/* Functions that give their frames up for what they call last: at -O2 and more. */
volatile int sink = 3;
__attribute__((noinline)) void leaf(int n)
{
    sink = n; /* stop */
    sink++;
}
__attribute__((noinline)) void second(int n)
{
    sink += n;
    leaf(n * 2);
}
__attribute__((noinline)) void first(int n)
{
    sink -= n;
    second(n + 1);
}
__attribute__((noinline)) int framed(int n)
{
    first(n);
    return sink + n;
}
int main(void)
{
    int sum = framed(sink);
    first(sum);
    return sink == 0;
}
