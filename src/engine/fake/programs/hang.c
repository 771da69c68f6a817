/* Rank 0 answers nothing any more, rank 1 answers late, the others compute. */
#include <stdlib.h>

void simulated_hang(void);
void simulated_slowness(int milliseconds);

static int compute(int n)
{
    return n * n;
}

int main(void)
{
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    if (rank == 0)
        simulated_hang();
    if (rank == 1)
        simulated_slowness(300);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += compute(i);
    return sum == 285 ? 0 : 1;
}
