/* Aborts the job in the way that is named, on the last rank; with "all", on every rank. */
#include <mpi.h>
#include <string.h>

static void give_up(MPI_Comm comm, int code)
{
    MPI_Abort(comm, code); /* BREAK abort */
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int me, np, number = 0;
    MPI_Comm team;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_dup(MPI_COMM_WORLD, &team);
    if (strcmp(how, "all") == 0 || me == np - 1) {
        if (strcmp(how, "team") == 0)
            give_up(team, 7);
        if (strcmp(how, "self") == 0)
            give_up(MPI_COMM_SELF, -1);
        if (strcmp(how, "returned") == 0) {
            MPI_Comm_set_errhandler(team, MPI_ERRORS_RETURN);
            MPI_Send(&number, 1, MPI_INT, np + 3, 0, team);
        }
        if (strcmp(how, "error") == 0)
            MPI_Send(&number, 1, MPI_INT, np + 3, 0, MPI_COMM_WORLD); /* BREAK error */
        give_up(MPI_COMM_WORLD, 42);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
