/* Functions that the compiler makes of parts of others, for OpenMP. */
int total;

static int twice(int n)
{
    return 2 * n;
}

int summed(int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i; /* BREAK in a loop */
    return sum + twice(n); /* BREAK after */
}

int main(void)
{
    total = summed(10);
    return total == 0;
}
