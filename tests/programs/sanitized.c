/* Does what a sanitizer finds, in the way that is named, on the ranks above 0, or on all if
 * EVERY_RANK is set. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int shared;

static void put(char *bytes, int at)
{
    bytes[at] = 1; /* BREAK overflow */
}

static int add(int a, int b)
{
    return a + b; /* BREAK add */
}

static int divide(int a, int b)
{
    return a / b; /* BREAK divide */
}

static int item(int at)
{
    static int items[4];
    return items[at]; /* BREAK index */
}

static int follow(int *number)
{
    return *number; /* BREAK null */
}

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++)
        shared++; /* BREAK race */
    return NULL;
}

int main(int argc, char **argv)
{
    const char *rank = getenv("RANKSCOPE_RANK"), *how = argc > 1 ? argv[1] : "";
    volatile int result = 0;
    if (rank == NULL || (strcmp(rank, "0") == 0 && !getenv("EVERY_RANK")))
        return 0;
    if (strcmp(how, "overflow") == 0) {
        char *bytes = malloc(10);
        put(bytes, 10);
    }
    if (strcmp(how, "freed") == 0) {
        char *bytes = malloc(10);
        free(bytes);
        put(bytes, 1);
    }
    if (strcmp(how, "add") == 0)
        result = add(2147483647, argc);
    if (strcmp(how, "divide") == 0)
        result = divide(result + 7, argc - 2);
    if (strcmp(how, "index") == 0)
        result = item(argc + 5);
    if (strcmp(how, "null") == 0)
        result = follow(NULL);
    if (strcmp(how, "race") == 0) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, count, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    return result * 0;
}
