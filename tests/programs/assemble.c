/* Sums the rows of a matrix, of which two copies have one that was never made; the copies wait when they are done. */
#include <stdlib.h>
#include <unistd.h>

struct row {
    int count;
    double values[4];
};

static struct row rows[4];
static struct row *matrix[4];

static double sum(const struct row *row)
{
    double total = 0;
    for (int i = 0; i < row->count; i++)
        total += row->values[i];
    return total;
}

static double assemble(void)
{
    double all = 0;
    for (int number = 0; number < 4; number++)
        all += sum(matrix[number]);
    return all;
}

int main(void)
{
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    for (int number = 0; number < 4; number++) {
        rows[number] = (struct row){4, {1, 2, 3, rank}};
        if (number != 2 || (rank != 3 && rank != 12))
            matrix[number] = &rows[number];
    }
    assemble();
    pause();
    return 0;
}
