/* One rank trades cells with a partner, which does not know and goes on to the sum of all. */
#include <mpi.h>

static double cells[1024];

static void trade(int partner)
{
    double mine = cells[0], theirs = 0;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 200,
                 &theirs, 1, MPI_DOUBLE, partner, 200,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cells[0] = (mine + theirs) / 2;
}

static double relax(int rank, int step)
{
    return rank == 5 && step == 3 ? 1.5 : 0.5;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 10; step++) {
        double change = relax(rank, step), most;
        if (change > 1)
            trade(size - 1 - rank);
        MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
