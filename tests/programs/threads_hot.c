/* Threads that all pass one place very often: a condition there is looked at each time, exactly once. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 6, ROUNDS = 400 };
static int arrivals[THREADS];

static int pass(int thread, int round)
{
    arrivals[thread]++; /* BREAK pass */
    return round;
}

static void *run(void *argument)
{
    int thread = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++)
        pass(thread, round);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS], sum = 0;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, run, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        sum += arrivals[i];
    return sum == THREADS * ROUNDS ? 0 : 1; /* BREAK joined */
}
