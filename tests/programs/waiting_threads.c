// Each thread waits in another function of the C library.
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

enum { THREADS = 9 };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, of_condition = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ends[2];

static void *wait_in(void *number) {
    char byte;
    fd_set set;
    struct pollfd polled = {.fd = ends[0], .events = POLLIN};
    switch ((intptr_t)number) {
    case 2:
        pthread_mutex_lock(&held); /* BREAK pthread_mutex_lock */
        break;
    case 3:
        pthread_mutex_lock(&of_condition);
        pthread_cond_wait(&condition, &of_condition); /* BREAK pthread_cond_wait */
        break;
    case 4:
        pthread_barrier_wait(&barrier); /* BREAK pthread_barrier_wait */
        break;
    case 5:
        sem_wait(&semaphore); /* BREAK sem_wait */
        break;
    case 6:
        (void)!read(ends[0], &byte, 1); /* BREAK read */
        break;
    case 7:
        poll(&polled, 1, -1); /* BREAK poll */
        break;
    case 8:
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        select(ends[0] + 1, &set, NULL, NULL, NULL); /* BREAK select */
        break;
    case 9:
        sleep(1000); /* BREAK sleep */
        break;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_mutex_lock(&held);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    if (pipe(ends)) {
        return 1;
    }
    for (intptr_t number = 2; number <= THREADS; number++) {
        pthread_create(&threads[number - 1], NULL, wait_in, (void *)number);
    }
    puts("waiting");
    fflush(stdout);
    pthread_join(threads[1], NULL); /* BREAK pthread_join */
    return 0;
}
