// Each rank waits in another call of MPI, for a rank that comes to none of them.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, buffer[4];
static volatile int held = 1;

static void hold(void) {
    puts("waiting");
    fflush(stdout);
    while (held) {
        sleep(60); /* BREAK sleep */
    }
}

static void wait_in(MPI_Comm communicator, MPI_Win window) {
    MPI_Request request;
    switch (rank) {
    case 1:
        MPI_Recv(buffer, 4, MPI_INT, 0, 7, communicator, MPI_STATUS_IGNORE); /* BREAK MPI_Recv */
        break;
    case 2:
        MPI_Irecv(buffer, 4, MPI_INT, 0, 7, communicator, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* BREAK MPI_Wait */
        break;
    case 3:
        MPI_Ssend(buffer, 4, MPI_INT, 0, 7, communicator); /* BREAK MPI_Ssend */
        break;
    case 4:
        MPI_Allreduce(MPI_IN_PLACE, buffer, 4, MPI_INT, MPI_SUM, communicator); /* BREAK MPI_Allreduce */
        break;
    case 5:
        MPI_Win_fence(0, window); /* BREAK MPI_Win_fence */
        break;
    default:
        hold();
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm communicator;
    MPI_Win window;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Win_create(buffer, sizeof buffer, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Barrier(MPI_COMM_WORLD);
    wait_in(communicator, window);
    MPI_Finalize();
    return 0;
}
