/* queued DIRECTORY FAULTS: each rank waits in MPI_Recv, with a fault of its own in what its library reads. */
#include "mpi_queued.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int numbers[100];

static void name_library(const char *directory, char fault)
{
    const char *name = fault == 'm' ? "libnone.so" : fault == 'e' ? "../libelsewhere.so" : "libqueue_library.so";
    snprintf(MPIR_dll_name, sizeof MPIR_dll_name, "%s/%s", directory, name);
    if (fault == 'n')
        MPIR_dll_name[0] = 0;
}

int main(int argc, char **argv)
{
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    int rank = queued_world.rank;
    queued_fault = argv[2][rank];
    name_library(argv[1], queued_fault);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &row);
    if (rank == 1) {
        queued_add(MPI_COMM_WORLD, UNEXPECTED, 0, 5, 400, numbers);
        queued_add(MPI_COMM_WORLD, SENDS, 2, 9, 1000000, numbers);
    }
    if (queued_fault == 'k')
        row->next = row;
    if (rank == 3)
        for (;;)
            pause(); /* BREAK elsewhere */
    int other = 1 - row->rank;
    MPI_Recv(numbers, 10, MPI_INT, other, 7, row, MPI_STATUS_IGNORE);
    return 0;
}
