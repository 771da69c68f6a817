/* Exceptions that are caught deeper than a step, in its function, and further out. */
static int thrower(int n)
{
    if (n == 0)
        throw 5; /* BREAK leaves */
    return thrower(n - 1) + 1;
}
static int swallows(int n)
{
    try {
        return thrower(n);
    } catch (int found) {
        return found;
    }
}
int main()
{
    int total = 0;
    total += swallows(2); /* BREAK swallows */
    try {
        total += thrower(3); /* BREAK throws */
        total += 100;
    } catch (int found) {
        total += found; /* BREAK caught */
    } /* BREAK handled */
    return total; /* BREAK end */
}
