/* Ranks that wait for each other in MPI; the first argument says how. Each prints a line before it does. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int rank, size;
static volatile long steps;

struct grid {
    int left, right;
};

/* Every rank sends more than is buffered before it receives. */
static void cycle(const struct grid *grid)
{
    int n = 1 << 20;
    char *out = malloc(n), *in = malloc(n);
    MPI_Send(out, n, MPI_CHAR, grid->right, 7, MPI_COMM_WORLD); /* BREAK cycle */
    MPI_Recv(in, n, MPI_CHAR, grid->left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void rebalance(int partner, MPI_Comm comm)
{
    double mine = rank, theirs;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 200,
                 &theirs, 1, MPI_DOUBLE, partner, 200, /* from the same */
                 comm, MPI_STATUS_IGNORE);
}

static void compute(void)
{
    for (;;)
        steps++; /* BREAK computes */
}

/* In another round whenever one looks. */
static int sum_up(int from)
{
    int sum = from;
    for (int i = 0; i >= 0; i = (i + 1) & 0xfffffff)
        sum ^= i;
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD, row;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    const char *how = argc > 1 ? argv[1] : "";
    struct grid grid = {(rank + size - 1) % size, (rank + 1) % size};
    int ends[2], value = 0, last = rank == size - 1, total;
    printf("waiting\n");
    fflush(stdout);
    if (!strcmp(how, "cycle"))
        cycle(&grid);
    if (!strcmp(how, "exchange") && last)
        rebalance(rank - 2, world); /* BREAK exchange */
    if (!strcmp(how, "tag") && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, grid.right, 8, world, MPI_STATUS_IGNORE);
    if (!strcmp(how, "tag") && rank == 1)
        MPI_Ssend(&value, 1, MPI_INT, 0, 9, world);
    if (!strcmp(how, "wildcard") && last)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, world, MPI_STATUS_IGNORE); /* BREAK wildcard */
    if (!strcmp(how, "different") && last)
        MPI_Bcast(&value, 1, MPI_INT, 0, world); /* BREAK different */
    if (!strcmp(how, "loop") && last)
        compute();
    if (!strcmp(how, "read") && last && (pipe(ends) < 0 || read(ends[0], &value, 1) < 0)) /* BREAK read */
        return 1;
    if (!strcmp(how, "sleep") && last)
        sleep(1000);
    /* The parent is in state D until the child ends. */
    if (!strcmp(how, "kernel") && last && vfork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    if (!strcmp(how, "rounds") && last)
        steps = sum_up(rank);
    if (!strcmp(how, "row")) {
        MPI_Comm_split(world, rank % 2, rank, &row);
        if (last)
            compute();
        MPI_Barrier(row); /* BREAK row */
    }
    MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, world); /* BREAK all */
    MPI_Finalize();
    return 0;
}
