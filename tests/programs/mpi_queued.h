/* An imaginary MPI: it has message queues, but no messages. */

typedef struct operation {
    struct operation *next;
    int kind, peer, world_peer, tag, length, status;
    void *buffer;
} queued_operation;

typedef struct communicator {
    struct communicator *next;
    char name[32];
    int rank, size, members[8];
    queued_operation *first;
} queued_communicator;

typedef queued_communicator *MPI_Comm;

enum { SENDS, RECEIVES, UNEXPECTED };
enum { MPI_INT = 4, MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -2 };

extern queued_communicator queued_world;
extern int queued_fault;
extern char MPIR_dll_name[4096];
#define MPI_COMM_WORLD (&queued_world)
#define MPI_STATUS_IGNORE ((void *)0)

void MPI_Init(int *argc, char ***argv);
void MPI_Comm_split(MPI_Comm of, int color, int key, MPI_Comm *made);
void MPI_Recv(void *buffer, int count, int type, int source, int tag, MPI_Comm comm, void *status);
void queued_add(MPI_Comm comm, int kind, int peer, int tag, int length, void *buffer);
