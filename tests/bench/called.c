/* Functions that are called for ever, each call with the number of its iteration. */
struct cell {
    double t;
    int id;
    const char *name;
    int parts[4];
};

volatile int turn;

static int kernel(int rank, int it)
{
    struct cell c = {rank * 0.5, it, "cell", {1, 2, 3, it}};
    turn = it;
    return (int)c.t + c.id;
}

static int quick(int it)
{
    return it + 1;
}

int main(void)
{
    unsigned sum = 0;
    for (int it = 0;; it++) {
        sum += (unsigned)kernel(3, it);
        sum += (unsigned)quick(it);
    }
    return (int)sum;
}
