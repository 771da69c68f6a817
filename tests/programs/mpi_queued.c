/* Its communicators are those of 4 ranks, or of as many as there are. */
#include "mpi_queued.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

queued_communicator queued_world = {.name = "MPI_COMM_WORLD"};
queued_communicator queued_self = {.name = "MPI_COMM_SELF", .size = 1};
int queued_fault;
char MPIR_dll_name[4096];

void MPI_Init(int *argc, char ***argv)
{
    queued_world.next = &queued_self;
    queued_world.rank = atoi(getenv("RANKSCOPE_RANK"));
    queued_world.size = atoi(getenv("RANKSCOPE_SIZE"));
    for (int i = 0; i < queued_world.size && i < 8; i++)
        queued_world.members[i] = i;
    queued_self.members[0] = queued_world.rank;
}

/* The even and the odd ranks, each in reverse order. */
void MPI_Comm_split(MPI_Comm of, int color, int key, MPI_Comm *made)
{
    queued_communicator *comm = calloc(1, sizeof *comm);
    strcpy(comm->name, "row");
    for (int i = of->size - 1; i >= 0; i--) {
        if (i % 2 != color)
            continue;
        if (i == of->rank)
            comm->rank = comm->size;
        comm->members[comm->size++] = i;
    }
    queued_self.next = comm;
    *made = comm;
}

void queued_add(MPI_Comm comm, int kind, int peer, int tag, int length, void *buffer)
{
    queued_operation *one = calloc(1, sizeof *one), **last = &comm->first;
    one->kind = kind;
    one->peer = peer;
    one->world_peer = peer < 0 ? -1 : comm->members[peer];
    one->tag = tag;
    one->length = length;
    one->buffer = buffer;
    while (*last)
        last = &(*last)->next;
    *last = one;
}

void MPI_Recv(void *buffer, int count, int type, int source, int tag, MPI_Comm comm, void *status)
{
    queued_add(comm, RECEIVES, source, tag, count * type, buffer);
    if (queued_fault == 'l')
        comm->first->next = comm->first;
    for (;;)
        pause(); /* BREAK for ever */
}
