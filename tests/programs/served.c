#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
/* Answers a byte with a byte and a newline; "t" only when every thread has made a turn since. Ends with its input. */
enum { WORKERS = 3 };
static atomic_int over, turns[WORKERS + 1];
long served;
__attribute__((noinline)) static int work(int turn)
{
    return turn + 1; /* work */
}
static void *worker(void *turn)
{
    while (!over) {
        *(atomic_int *)turn = work(*(atomic_int *)turn) & 0xffffff;
        usleep(200);
    }
    return NULL;
}
static void *once(void *turn)
{
    ++*(atomic_int *)turn;
    return NULL;
}
/* Threads come and go all the time. */
static void *parent(void *turn)
{
    while (!over) {
        pthread_t child;
        pthread_create(&child, NULL, once, turn);
        pthread_join(child, NULL);
    }
    return NULL;
}
__attribute__((noinline)) static void serve(char request)
{
    char answer[2] = {request, '\n'};
    served++; /* serve */
    for (int i = 0; request == 't' && i <= WORKERS; i++)
        for (int before = turns[i]; turns[i] == before;)
            usleep(200);
    if (write(1, answer, sizeof answer) < 0)
        served = -1;
}
int main(void)
{
    pthread_t threads[WORKERS + 1];
    char request;
    for (int i = 0; i <= WORKERS; i++)
        pthread_create(&threads[i], NULL, i < WORKERS ? worker : parent, &turns[i]);
    serve('r');
    while (read(0, &request, 1) == 1)
        serve(request);
    over = 1;
    for (int i = 0; i <= WORKERS; i++)
        pthread_join(threads[i], NULL);
    return served;
}
