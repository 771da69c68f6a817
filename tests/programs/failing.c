/* Fails in the way that is named, on the ranks above 0. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile block;

static void check(int n)
{
    assert(n > 0 && "not empty"); /* BREAK assert */
}

static void smash(size_t n)
{
    char room[8];
    memset(room, 1, n);
    block = room;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    const char *rank = getenv("RANKSCOPE_RANK");
    if (rank && strcmp(rank, "0") == 0)
        return 0;
    block = malloc(40);
    if (strcmp(how, "assert") == 0)
        check(argc - 2);
    if (strcmp(how, "free") == 0) {
        memset(block, 0, 40);
        free(block + 16);
    }
    if (strcmp(how, "smash") == 0)
        smash(64);
    if (strcmp(how, "steers") == 0)
        __assert_fail("n\033[2J\n\x9b", "odd\033[1m.c", 7, "f");
    if (strcmp(how, "plain") == 0)
        abort();
    return 0;
}
