/* Ends in a signal, by the way that is named: inside the C library, in a deep recursion, by exhausting the stack. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t measure(const char *text)
{
    return strlen(text); /* BREAK strlen */
}

static int descend(int n)
{
    char room[64];
    memset(room, n, sizeof room);
    if (n == 0)
        raise(SIGBUS); /* BREAK bottom */
    return descend(n - 1) + room[0];
}

static int compare(const void *a, const void *b)
{
    if (*(const int *)a == 3)
        abort(); /* BREAK abort */
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    int numbers[] = {5, 3, 1, 4};
    if (strcmp(how, "library") == 0)
        return (int)measure(getenv("NOT_IN_THERE"));
    if (strcmp(how, "deep") == 0)
        return descend(300);
    if (strcmp(how, "overflow") == 0)
        return descend(-1);
    if (strcmp(how, "callback") == 0)
        qsort(numbers, 4, sizeof *numbers, compare);
    return 0;
}
