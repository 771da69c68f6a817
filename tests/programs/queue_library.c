/* The queue library of the imaginary MPI: it reads its lists through the debugger. */
#include <stdlib.h>
#include <string.h>

typedef unsigned long address;

/* The interface, as the MPI Forum's document names it. */
struct basic {
    void *(*malloc)(size_t);
    void (*free)(void *);
    void (*dprints)(const char *);
    const char *(*errorstring)(int);
    void (*put_image)(void *, void *);
    void *(*get_image)(void *);
    void (*put_process)(void *, void *);
    void *(*get_process)(void *);
};
struct image {
    void (*sizes)(void *, int *);
    int (*function)(void *, const char *, int, address *);
    int (*symbol)(void *, const char *, address *);
    void *(*type)(void *, const char *, int);
    int (*offset)(void *, const char *);
    int (*size)(void *);
};
struct process {
    int (*rank)(void *);
    void *(*image)(void *);
    int (*fetch)(void *, address, int, void *);
    void (*host)(void *, const void *, void *, int);
};
struct communicator {
    address id;
    long rank, size;
    char name[64];
};
struct operation {
    int status;
    long peer, world_peer;
    int any_tag;
    long tag, length;
    int system;
    address buffer;
    long actual[4];
    char text[5][64];
};

static const struct basic *basic;
static const struct image *image;
static const struct process *process;
static void *comm_type, *operation_type;
static address comm, next;
static int fault, kind;

static long number(address at, int size)
{
    char raw[8], own[8] = {0};
    int value;
    if (process->fetch((void *)0, at, size, raw))
        abort();
    process->host((void *)0, raw, own, size);
    if (size == 8)
        return *(long *)own;
    memcpy(&value, own, sizeof value);
    return value;
}

static long member(address of, void *type, const char *name, int size)
{
    return number(of + image->offset(type, name), size);
}

void mqs_setup_basic_callbacks(const struct basic *given) { basic = given; }
const char *mqs_version_string(void) { return "imaginary queues 1.0"; }
int mqs_version_compatibility(void) { return 2; }
int mqs_dll_taddr_width(void) { return sizeof(address); }
const char *mqs_dll_error_string(int code) { return code == 101 ? "no symbol" : "unknown"; }

int mqs_setup_image(void *of, const struct image *given)
{
    image = given;
    basic->put_image(of, basic->malloc(16));
    return basic->get_image(of) ? 0 : 102;
}

int mqs_image_has_queues(void *of, const char **message)
{
    *message = "the types of %s are not as expected";
    comm_type = image->type(of, "queued_communicator", 'c');
    operation_type = image->type(of, "queued_operation", 'c');
    if (!comm_type || !operation_type || image->size(operation_type) < 32)
        return 103;
    *message = 0;
    return 0;
}

int mqs_setup_process(void *of, const struct process *given)
{
    address at;
    process = given;
    if (image->symbol(process->image(of), "queued_fault", &at))
        return 101;
    fault = number(at, 4);
    if (fault == 'x')
        exit(3);
    if (fault == 'r')
        return 104;
    return 0;
}

int mqs_process_has_queues(void *of, const char **message)
{
    if (fault != 't')
        return 0;
    *message = "the types of %s are not as expected";
    return image->type(of, "queued_unheard_of", 'c') ? 0 : 103;
}

int mqs_update_communicator_list(void *of)
{
    for (volatile int i = 0; fault == 'h'; i++)
        ;
    return 0;
}

int mqs_setup_communicator_iterator(void *of)
{
    return image->symbol(process->image(of), "queued_world", &comm);
}

int mqs_get_communicator(void *of, struct communicator *found)
{
    found->id = comm;
    found->rank = member(comm, comm_type, "rank", 4);
    found->size = member(comm, comm_type, "size", 4);
    return process->fetch(of, comm + image->offset(comm_type, "name"), 32, found->name);
}

int mqs_get_comm_group(void *of, int *members)
{
    long size = member(comm, comm_type, "size", 4);
    return process->fetch(of, comm + image->offset(comm_type, "members"), size > 8 ? 32 : size * 4, members);
}

int mqs_next_communicator(void *of)
{
    comm = member(comm, comm_type, "next", 8);
    return comm ? 0 : 2;
}

int mqs_setup_operation_iterator(void *of, int queue)
{
    kind = queue;
    next = member(comm, comm_type, "first", 8);
    return 0;
}

int mqs_next_operation(void *of, struct operation *found)
{
    while (next && fault != 'l' && member(next, operation_type, "kind", 4) != kind)
        next = member(next, operation_type, "next", 8);
    if (fault == 'c')
        *(volatile int *)0 = 1;
    if (!next)
        return 2;
    found->status = member(next, operation_type, "status", 4);
    found->peer = member(next, operation_type, "peer", 4);
    found->world_peer = member(next, operation_type, "world_peer", 4);
    found->tag = member(next, operation_type, "tag", 4);
    found->length = member(next, operation_type, "length", 4);
    found->buffer = member(next, operation_type, "buffer", 8);
    next = member(next, operation_type, "next", 8);
    return 0;
}
