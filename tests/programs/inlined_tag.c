// A small function that the compiler puts into loops: some of its instructions have the lines of its callers.
#include <stdio.h>

static int rank;

static int opposite(int side)
{
    return side ^ 1;
}

static int tag_of(int step, int side)
{
    unsigned char tag = (unsigned char)(step * 4 + side);
    if (rank == 41 && step > 11)
        tag = (unsigned char)(tag + 4);
    return tag;
}

__attribute__((noinline)) static void say(int tag)
{
    printf("%d\n", tag);
}

__attribute__((noinline)) static void exchange(int step)
{
    for (int side = 0; side < 4; side++)
        say(tag_of(step, opposite(side)));
    for (int side = 0; side < 4; side++) {
        rank += side;
        say(tag_of(step, side));
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    exchange(argc);
    exchange(argc + 12);
    return 0;
}
