/* Simulated ranks that wait in calls of MPI. With `ring`, each receives from the one on its left, which does not send;
   or else two of them receive from each other, and all others wait for these in a collective operation. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rank, size;
int MPI_COMM_WORLD, MPI_INT;
int in[1], out[1];

int MPI_Recv(int *buffer, int count, int type, int peer, int tag, int communicator, int *status)
{
    for (;;) usleep(1000);
    return 0;
}

int MPI_Allreduce(int *sent, int *received, int count, int type, int operation, int communicator)
{
    for (;;) usleep(1000);
    return 0;
}

int main(int argc, char **argv)
{
    int left;
    rank = atoi(getenv("RANKSCOPE_RANK"));
    size = atoi(getenv("RANKSCOPE_SIZE"));
    left = (rank + size - 1) % size;
    if (argc > 1 && !strcmp(argv[1], "ring"))
        MPI_Recv(in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, in); /* BREAK ring */
    if (rank == 2 || rank == size - 1)
        MPI_Recv(in, 1, MPI_INT, size + 1 - rank, rank, MPI_COMM_WORLD, in); /* BREAK pair */
    MPI_Allreduce(in, out, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BREAK all */
    return 0;
}
