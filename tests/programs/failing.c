/* Fails in the way that is named, on the ranks above 0, or on all if EVERY_RANK is set. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char *volatile block;

static void check(int n)
{
    assert(n > 0 && "not empty"); /* BREAK assert */
}

static void smash(size_t n)
{
    char room[8];
    memset(room, 1, n);
    block = room;
}

static int descend(int n)
{
    volatile char room[100];
    room[0] = (char)n;
    return n == 0 ? 0 : descend(n + 1) + room[0];
}

static void needs(size_t n)
{
    volatile char room[n];
    room[0] = 1;
}

static void *in_thread(void *unused)
{
    (void)unused;
    descend(1);
    return NULL;
}

struct row {
    char *name[2];
    int count;
    struct row *next;
};

/* The stack may have one megabyte. */
static void little_stack(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_STACK, &limit);
}

static void fault(const char *how)
{
    struct row *volatile row = NULL;
    void (*volatile function)(void) = NULL;
    if (strcmp(how, "null") == 0)
        row->count++;
    struct row full = {{"", NULL}, 1};
    struct row *volatile other = NULL;
    if (strcmp(how, "two") == 0)
        row->count = other->count;
    if (strcmp(how, "member") == 0) {
        row = &full;
        row->name[1][0] = row->name[0][0];
    }
    if (strcmp(how, "beginning") == 0)
        row->next->count = 1;
    if (strcmp(how, "chain") == 0) {
        row = &full;
        row->next->next = NULL;
    }
    if (strcmp(how, "before") == 0)
        row[-1].count++;
    if (strcmp(how, "call") == 0)
        function();
    row = (struct row *)0x4242424242424242;
    if (strcmp(how, "wild") == 0)
        row->count++;
    row = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(how, "read-only") == 0)
        row->count++;
    munmap(row, 4096);
    if (strcmp(how, "unmapped") == 0)
        row->count++;
    function = (void (*)(void))row;
    if (strcmp(how, "jump") == 0)
        function();
    if (strcmp(how, "sent") == 0)
        raise(SIGSEGV);
}

static int at_of(int *list, long at) { return list[at]; }

/* Reaches elements that arrays do not have. */
static void reach(const char *how)
{
    static int matrix[4][64];
    int *data = malloc(64 * sizeof *data), i = 400000002, c = 3, *nothing = NULL;
    if (strcmp(how, "element") == 0)
        data[i] = 1;
    if (strcmp(how, "matrix") == 0)
        matrix[i / 100][c]++;
    if (strcmp(how, "null-element") == 0)
        nothing[i] = 1;
    if (strcmp(how, "elements") == 0)
        data[i] = data[i + 1];
    i = -400000002;
    if (strcmp(how, "negative") == 0)
        data[2 * i + 4] = 1;
    if (strcmp(how, "one-line") == 0)
        at_of(data, i);
}

/* Maps a file beside the program that is then cut off. */
static void cut(const char *program)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.mapped", program);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    ftruncate(file, 4096);
    volatile char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ftruncate(file, 0);
    mapped[9] = 1;
}

static void calculate(const char *how)
{
    volatile int zero = 0, one = -1, least = 1 << 31;
    volatile double nothing = 0.0;
    if (strcmp(how, "divide") == 0)
        one /= zero;
    if (strcmp(how, "least") == 0)
        least /= one;
    feenableexcept(FE_DIVBYZERO | FE_INVALID);
    if (strcmp(how, "float") == 0)
        nothing = 1.0 / nothing;
    if (strcmp(how, "invalid") == 0)
        nothing /= nothing;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    const char *rank = getenv("RANKSCOPE_RANK");
    if (rank && strcmp(rank, "0") == 0 && !getenv("EVERY_RANK"))
        return 0;
    block = malloc(40);
    if (strcmp(how, "assert") == 0)
        check(argc - 2);
    if (strcmp(how, "free") == 0) {
        memset(block, 0, 40);
        free(block + 16);
    }
    if (strcmp(how, "smash") == 0)
        smash(64);
    if (strcmp(how, "steers") == 0)
        __assert_fail("n\033[2J\n\x9b", "odd\033[1m.c", 7, "f");
    if (strcmp(how, "recursion") == 0) {
        little_stack();
        descend(1);
    }
    if (strcmp(how, "array") == 0) {
        little_stack();
        needs(64 << 20);
    }
    if (strcmp(how, "thread") == 0) {
        pthread_t thread;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 1 << 20);
        pthread_create(&thread, &small, in_thread, NULL);
        pthread_join(thread, NULL);
    }
    if (strcmp(how, "cut") == 0)
        cut(argv[0]);
    if (strcmp(how, "memory") == 0)
        for (size_t size = 16 << 20;;)
            memset(malloc(size), 1, size);
    calculate(how);
    fault(how);
    reach(how);
    if (strcmp(how, "plain") == 0)
        abort();
    return 0;
}
