// A team of OpenMP, of which one thread of rank 1 is somewhere else, and a thread with a name of its own. All of them are
// where they stay when the first one calls all_here.
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { TEAM = 4 };

static int arrived;

static void stay(void)
{
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    for (;;)
        pause();
}

static void *serve(void *unused)
{
    prctl(PR_SET_NAME, "io");
    stay();
    return unused;
}

__attribute__((noinline)) static void relax(void)
{
    stay(); /* LINE relax */
}

__attribute__((noinline)) static void gather(void)
{
    stay(); /* LINE gather */
}

__attribute__((noinline)) static void all_here(void)
{
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < TEAM)
        usleep(1000);
    usleep(1000); /* BREAK here */
}

int main(void)
{
    const char *rank = getenv("RANKSCOPE_RANK");
    int is_first = !rank || atoi(rank) == 0;
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
#pragma omp parallel num_threads(TEAM)
    {
        int number = omp_get_thread_num();
        if (number == 0)
            all_here();
        else if (number == 2 && !is_first)
            gather();
        else
            relax();
    }
    return 0;
}
