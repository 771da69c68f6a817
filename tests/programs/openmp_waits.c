/* Each rank has threads of OpenMP that wait for each other there, for ever. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

omp_lock_t first, second, locks[4];
omp_nest_lock_t nested;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int count;

static void arrive(void)
{
    __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
}

static void await(int wanted)
{
    while (count < wanted)
        usleep(1000);
}

static void lock_in_both_orders(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&first);
            arrive();
            await(2);
            omp_set_lock(&second); /* BREAK second */
            arrive();
        } else {
            omp_set_lock(&second);
            arrive();
            await(2);
            omp_set_lock(&first); /* BREAK first */
            arrive();
        }
    }
}

static void wait_for_a_region(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 1)
            await(1);
        if (omp_get_thread_num() == 1) {
#pragma omp critical(update)
            {
                arrive();
                pause(); /* BREAK inside */
            }
        } else {
#pragma omp critical(update) /* BREAK region */
            arrive();
        }
    }
}

static void miss_a_barrier(void)
{
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2)
            pause(); /* BREAK absent */
#pragma omp barrier /* BREAK barrier */
        arrive();
    }
}

static void own_a_nested_lock(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_nest_lock(&nested);
            omp_set_nest_lock(&nested);
            arrive();
            pause(); /* BREAK owner */
        }
        await(1);
        omp_set_nest_lock(&nested); /* BREAK nested */
        arrive();
    }
}

static void miss_the_end(void)
{
#pragma omp parallel num_threads(3) /* BREAK end */
    {
        if (omp_get_thread_num() > 0)
            pause(); /* BREAK late */
    }
}

static void wait_for_a_task(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
#pragma omp task
            {
                arrive();
                pause(); /* BREAK task */
            }
            await(1);
#pragma omp taskwait /* BREAK taskwait */
        }
    }
}

static void lock_twice(void)
{
    int place = 2;
#pragma omp parallel num_threads(2) firstprivate(place)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&locks[place]);
            omp_set_lock(&locks[place]); /* BREAK twice */
            arrive();
        }
    }
}

static void lock_among_others(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&first);
            arrive();
        }
        if (omp_get_thread_num() > 0)
            pause(); /* BREAK holder */
        await(1);
        omp_set_lock(&first); /* BREAK among */
        arrive();
    }
}

static void lock_a_mutex(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            pthread_mutex_lock(&mutex);
            arrive();
            pause(); /* BREAK locked */
        }
        await(1);
        pthread_mutex_lock(&mutex); /* BREAK mutex */
        arrive();
    }
}

int main(void)
{
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    void (*parts[])(void) = {lock_in_both_orders, wait_for_a_region, miss_a_barrier, own_a_nested_lock,
                             miss_the_end, wait_for_a_task, lock_twice, lock_among_others,
                             lock_a_mutex};
    omp_init_lock(&first);
    omp_init_lock(&second);
    omp_init_lock(&locks[2]);
    omp_init_nest_lock(&nested);
    parts[rank]();
    return 0;
}
