/* An array whose numbers are known for each rank; two ranks have numbers that are none. */
#include <math.h>
#include <stdlib.h>

int main(void)
{
    const char *text = getenv("RANKSCOPE_RANK");
    int rank = text ? atoi(text) : 0;
    double u[10];
    for (int i = 0; i < 10; i++)
        u[i] = rank * 10 + i;
    if (rank == 3)
        u[7] = NAN;
    if (rank == 5)
        u[0] = u[1] = NAN;
    return u[2] < 0; /* BREAK measured */
}
