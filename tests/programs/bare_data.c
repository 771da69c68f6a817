/* Built without debug information: only the symbol table knows these. */
int bare = 7;
double bare_ratio = 2.5;
int bare_twice(int n)
{
    return 2 * n;
}
