#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
enum { THREADS = 3 };
static const size_t MUCH = (size_t)1 << 30;
struct cell { double t; int id; char name[8]; };
struct cell cells[3];
double untouched[100000];
long *sparse;
char *hidden;
static __thread int own;
static pthread_barrier_t barrier;
static void stay(int number)
{
    own = number;
    pthread_barrier_wait(&barrier);
    for (;;)
        pause();
}
static void *run(void *number)
{
    stay(*(int *)number);
    return NULL;
}
__attribute__((noinline)) double leaf(double x, int rank)
{
    double y = x * 2 + rank;
    return y; /* BREAK leaf */
}
int main(void)
{
    int rank = atoi(getenv("RANKSCOPE_RANK") ? getenv("RANKSCOPE_RANK") : "0");
    pthread_t threads[THREADS];
    int numbers[THREADS];
    void *memory = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(memory, MUCH, MADV_NOHUGEPAGE);
    sparse = memory;
    sparse[0] = 41 + rank;
    sparse[MUCH / sizeof *sparse - 1] = 43 + rank;
    hidden = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    snprintf(hidden, 64, "never in a core file of rank %d", rank);
    madvise(hidden, 4096, MADV_DONTDUMP);
    for (int i = 0; i < 3; i++) {
        cells[i].t = i + 0.5;
        cells[i].id = rank;
        snprintf(cells[i].name, sizeof cells[i].name, "cell %d", i);
    }
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = 10 * rank + i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    pthread_barrier_wait(&barrier);
    double sum = leaf(1.25, rank);
    printf("%g\n", sum);
    fflush(stdout);
    for (;;)
        pause();
}
