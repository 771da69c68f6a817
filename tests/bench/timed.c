/* Loops whose own clock says what a debugger costs them: "elapsed NANOSECONDS" for `count` rounds.
 * timed calls COUNT: calls of a function. timed spins COUNT: rounds with a variable beside them that nobody changes.
 * timed loads COUNT LIBRARY: the library is loaded, called and unloaded. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile long total;
volatile long guarded = 7;

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

__attribute__((noinline)) void work(long round)
{
    total += round;
}

static void spin(long count)
{
    for (long round = 0; round < count; round++)
        total += round ^ guarded;
}

static int load(long count, const char *library)
{
    for (long round = 0; round < count; round++) {
        void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            return puts(dlerror());
        int (*function)(int) = (int (*)(int))dlsym(handle, "plug_work");
        total += function((int)round);
        dlclose(handle);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    long count = atol(argv[2]);
    long begun = now();
    if (!strcmp(argv[1], "calls")) {
        for (long round = 0; round < count; round++)
            work(round);
    } else if (!strcmp(argv[1], "spins")) {
        spin(count);
    } else if (argc < 4 || load(count, argv[3])) {
        return 1;
    }
    printf("elapsed %ld\n", now() - begun);
    return 0;
}
