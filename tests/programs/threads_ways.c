/* Eight threads that go one way over and over: WAY ROUNDS. It is linked with a library that has `plugin`. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#define THREADS 8
int plugin(int n);
int bare(int n);
__asm__(".text\n.globl bare\n.type bare, @function\nbare:\n lea 1(%rdi), %eax\n ret\n.size bare, . - bare\n");
static const char *way;
static long rounds, total;
static pthread_barrier_t begun;
static __thread int handled;
static void handle(int number)
{
    handled += number == SIGUSR2;
}
static inline __attribute__((always_inline)) int folded(int n)
{
    int more = n + 1; /* BREAK inside */
    return more;
}
static int recursive(int n)
{
    int below = 0;
    if (n > 0)
        below = recursive(n - 1) + 1; /* BREAK deeper */
    return below; /* BREAK back */
}
static int signalled(int n)
{
    int before = handled;
    raise(SIGUSR2); /* BREAK raises */
    return n + handled - before;
}
static int jumped(int n)
{
    jmp_buf place;
    if (setjmp(place) == 0) /* BREAK asks */
        longjmp(place, 1); /* BREAK jumps */
    return n + 1;
}
static int gone(int n)
{
    int result = n;
    if (!strcmp(way, "linked"))
        result = plugin(n); /* BREAK linked */
    else if (!strcmp(way, "bare"))
        result = bare(n); /* BREAK bare */
    else if (!strcmp(way, "folded"))
        result = folded(n); /* BREAK folded */
    else if (!strcmp(way, "recursive"))
        result = n + recursive(3) - 2;
    else if (!strcmp(way, "signalled"))
        result = signalled(n);
    else if (!strcmp(way, "jumped"))
        result = jumped(n);
    return result; /* BREAK gone */
}
static void *work(void *own)
{
    pthread_barrier_wait(&begun);
    for (int i = 0; i < rounds; i++)
        __atomic_add_fetch(&total, gone(i) - i, __ATOMIC_SEQ_CST);
    return own;
}
int main(int count, char **words)
{
    pthread_t all[THREADS];
    way = words[1];
    rounds = count > 2 ? atol(words[2]) : 1;
    signal(SIGUSR2, handle);
    pthread_barrier_init(&begun, NULL, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&all[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    return total == THREADS * rounds ? 3 : 4;
}
