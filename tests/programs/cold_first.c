/* The code of main begins where that of a function that comes behind it in the line table ends. */
void rare(int *n);
int main(int argc, char **argv)
{
    int n = argc; /* first */
    if (argv[0] == 0)
        rare(&n);
    return n - argc; /* last */
}
__attribute__((cold, noinline)) void rare(int *n)
{
    *n += 2;
}
