/* Jobs that hang, by name, and one that only looks so: it goes on with its next part when `suite_part` is set in rank 0. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };

static int rank, size, last, left, right;
static MPI_Comm world = MPI_COMM_WORLD;
static MPI_Status status;
static char out[LARGE], in[LARGE];
static volatile long steps;
volatile int suite_part, suite_now;

static void compute(int milliseconds)
{
    double end = MPI_Wtime() + milliseconds / 1e3;
    while (MPI_Wtime() < end)
        for (int i = 0; i < 1000; i++)
            steps++;
}

/* An endless loop that calls nothing. */
static void spin(void)
{
    for (;;)
        steps++;
}

static void nap(int milliseconds)
{
    usleep(milliseconds * 1000);
}

static void send_to(int peer, int tag, int count)
{
    MPI_Send(out, count, MPI_CHAR, peer, tag, world);
}

static void receive_from(int peer, int tag)
{
    MPI_Recv(in, LARGE, MPI_CHAR, peer, tag, world, &status);
}

static void sum(void)
{
    int total;
    MPI_Allreduce(&rank, &total, 1, MPI_INT, MPI_SUM, world);
}

/* Both wait for the other's message. */
static void receive(void)
{
    if (rank == 2 || rank == 3)
        receive_from(rank ^ 1, 1);
}

/* The receiver waits for another rank than the one that sends. */
static void sender(void)
{
    if (rank == 2)
        MPI_Ssend(out, 1, MPI_CHAR, 3, 1, world);
    if (rank == 3)
        receive_from(1, 1);
}

static void tag(void)
{
    if (rank == 1)
        send_to(0, 9, 1);
    if (rank == 0)
        receive_from(1, 8);
}

static void communicator(void)
{
    MPI_Comm other;
    MPI_Comm_dup(world, &other);
    if (rank == 1)
        MPI_Ssend(out, 1, MPI_CHAR, 0, 1, other);
    if (rank == 0)
        receive_from(1, 1);
}

static void root(void)
{
    int from = rank == last ? last : 0;
    MPI_Bcast(out, LARGE, MPI_CHAR, from, world);
}

static void missing(void)
{
    if (rank != last)
        MPI_Barrier(world);
    else
        receive_from(0, 1);
}

static void different(void)
{
    if (rank == last)
        MPI_Bcast(out, 1, MPI_CHAR, 0, world);
}

/* One message fewer than rank 0 counts on. */
static void wildcard(void)
{
    if (rank != 0)
        send_to(0, 1, 1);
    for (int i = 0; rank == 0 && i < size; i++)
        receive_from(MPI_ANY_SOURCE, 1);
}

static void waitall(void)
{
    MPI_Request requests[2];
    if (rank == 1)
        send_to(2, 1, 1);
    if (rank == 2) {
        MPI_Irecv(in, 1, MPI_CHAR, 1, 1, world, &requests[0]);
        MPI_Irecv(in + 1, 1, MPI_CHAR, 3, 1, world, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void exchange(void)
{
    MPI_Request requests[4];
    MPI_Irecv(in, 8, MPI_CHAR, left, 1, world, &requests[0]);
    MPI_Irecv(in + 8, 8, MPI_CHAR, right, 2, world, &requests[1]);
    MPI_Isend(out, 8, MPI_CHAR, right, 1, world, &requests[2]);
    MPI_Isend(out, 8, MPI_CHAR, left, 2, world, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/* One rank makes fewer rounds; those that are not beside it are in later rounds than those that are. */
static void rounds(void)
{
    for (int round = 0; round < (rank == 2 ? 30 : 60); round++)
        exchange();
}

static void loop(void)
{
    if (rank == last)
        spin();
}

static void io(void)
{
    int ends[2];
    if (rank == last && (pipe(ends) < 0 || read(ends[0], in, 1) < 0))
        exit(1);
}

static void ended(void)
{
    while (rank == last && !suite_part)
        nap(10);
    if (rank == last)
        _exit(0);
}

static void finalize(void)
{
    if (rank == last)
        MPI_Finalize();
}

/* Every rank sends more than is buffered before it receives. */
static void cycle(void)
{
    send_to(right, 1, LARGE);
    receive_from(left, 1);
}

/* One rank of a row waits for a message instead. */
static void row(void)
{
    MPI_Comm of_row;
    MPI_Comm_split(world, rank % 2, rank, &of_row);
    if (rank == 2)
        receive_from(0, 1);
    MPI_Barrier(of_row);
}

static void fence(void)
{
    MPI_Win window;
    MPI_Win_create(in, LARGE, 1, MPI_INFO_NULL, world, &window);
    if (rank != last)
        MPI_Win_fence(0, window);
}

static void split(void)
{
    MPI_Comm of_row;
    if (rank != last)
        MPI_Comm_split(world, rank % 2, rank, &of_row);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_held;

static void *hold(void *milliseconds)
{
    pthread_mutex_lock(&mutex);
    is_held = 1;
    if (milliseconds)
        nap(*(int *)milliseconds);
    else
        receive_from(0, 99);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void with_held_mutex(int *milliseconds)
{
    pthread_t thread;
    is_held = 0;
    pthread_create(&thread, NULL, hold, milliseconds);
    while (!is_held)
        nap(1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

/* A thread holds a lock while it receives what the others send after this one has the lock. */
static void crossed(void)
{
    if (rank == last)
        with_held_mutex(NULL);
}

static void threads(void)
{
    if (rank == last) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1)
            spin();
    }
}

/* A token goes round. */
static void ring(void)
{
    if (rank != 0)
        receive_from(left, 1);
    nap(20);
    send_to(right, 1, 1);
    if (rank == 0)
        receive_from(left, 1);
}

static void pingpong(void)
{
    for (int i = 0; i < 50; i++) {
        if (rank % 2 == 0 && right != 0) {
            send_to(right, 1, 1);
            receive_from(right, 1);
        } else if (rank % 2 == 1) {
            receive_from(left, 1);
            send_to(left, 1, 1);
        }
    }
}

static void unbalanced(void)
{
    if (rank == last)
        compute(150);
    sum();
}

static void workers(void)
{
    for (int i = 1; rank == 0 && i < size; i++) {
        receive_from(MPI_ANY_SOURCE, 1);
        send_to(status.MPI_SOURCE, 2, 1);
    }
    if (rank != 0) {
        nap(rank == last ? 200 : 10);
        send_to(0, 1, 1);
        receive_from(0, 2);
    }
}

/* Each rank receives more than is buffered, works, and passes it on. */
static void pipeline(void)
{
    if (rank > 0)
        receive_from(left, 1);
    nap(rank == 2 ? 200 : 10);
    if (rank < last)
        send_to(right, 1, LARGE);
}

/* Ranks leave a reduction early and wait for its root, which waits for a slow one. */
static void reduction(void)
{
    int total;
    if (rank == last)
        nap(250);
    MPI_Reduce(&rank, &total, 1, MPI_INT, MPI_SUM, 0, world);
    if (rank == 0)
        send_to(1, 1, 1);
    if (rank == 1)
        receive_from(0, 1);
}

/* A shift of more than is buffered stops where a rank is slow; those before it wait in a barrier. */
static void shift(void)
{
    int to = rank < last ? right : MPI_PROC_NULL, from = rank > 0 ? left : MPI_PROC_NULL;
    if (rank == last)
        nap(250);
    MPI_Sendrecv(out, LARGE, MPI_CHAR, to, 1, in, LARGE, MPI_CHAR, from, 1, world, &status);
    MPI_Barrier(world);
}

static void halo(void)
{
    if (rank == 2)
        compute(200);
    exchange();
}

static void roots(void)
{
    for (int from = 0; from < size; from++) {
        if (rank == from)
            nap(rank == 2 ? 200 : 5);
        MPI_Bcast(out, 1, MPI_CHAR, from, world);
    }
}

static void rows(void)
{
    static MPI_Comm of_row = MPI_COMM_NULL;
    if (of_row == MPI_COMM_NULL)
        MPI_Comm_split(world, rank % 2, rank, &of_row);
    if (rank == 3)
        nap(200);
    MPI_Barrier(of_row);
    sum();
}

static void fences(void)
{
    static MPI_Win window = MPI_WIN_NULL;
    if (window == MPI_WIN_NULL)
        MPI_Win_create(in, LARGE, 1, MPI_INFO_NULL, world, &window);
    if (rank == last)
        nap(200);
    MPI_Win_fence(0, window);
}

/* The last rank reads what takes its time to come. */
static void reads(void)
{
    if (rank == last) {
        FILE *slow = popen("sleep 0.2; echo", "r");
        fgetc(slow);
        pclose(slow);
    }
    MPI_Barrier(world);
}

static void locked(void)
{
    static int milliseconds = 150;
    if (rank == last)
        with_held_mutex(&milliseconds);
    MPI_Barrier(world);
}

static void scattered(void)
{
    if (rank == 0)
        nap(200);
    MPI_Scatter(out, 1, MPI_CHAR, in, 1, MPI_CHAR, 0, world);
    MPI_Gather(in, 1, MPI_CHAR, out, 1, MPI_CHAR, 0, world);
}

struct job {
    const char *name;
    void (*run)(void);
};

static const struct job hangs[] = {
    {"receive", receive}, {"sender", sender},       {"tag", tag},           {"communicator", communicator},
    {"root", root},       {"missing", missing},     {"different", different}, {"wildcard", wildcard},
    {"waitall", waitall}, {"loop", loop},           {"io", io},             {"ended", ended},
    {"finalize", finalize}, {"cycle", cycle},       {"row", row},           {"fence", fence},
    {"split", split},     {"crossed", crossed},     {"threads", threads},   {"rounds", rounds},
};

static void (*const fine[])(void) = {ring,  pingpong, unbalanced, workers, pipeline, reduction, shift,
                                     halo,  roots,    rows,       fences,  reads,    locked,    scattered};

int main(int argc, char **argv)
{
    const char *hang = argc > 1 ? argv[1] : NULL;
    int provided;
    MPI_Init_thread(&argc, &argv, hang && !strcmp(hang, "crossed") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    last = size - 1;
    left = (rank + last) % size;
    right = (rank + 1) % size;
    if (rank == 0) {
        printf("%d ranks run\n", size);
        fflush(stdout);
    }
    for (size_t i = 0; hang && i < sizeof hangs / sizeof hangs[0]; i++)
        if (!strcmp(hang, hangs[i].name))
            hangs[i].run();
    if (hang)
        sum();
    for (long round = 0; !hang && suite_now < (int)(sizeof fine / sizeof fine[0]); round++) {
        int next = suite_part;
        fine[suite_now]();
        MPI_Bcast(&next, 1, MPI_INT, 0, world);
        suite_now = next;
    }
    MPI_Finalize();
    return 0;
}
