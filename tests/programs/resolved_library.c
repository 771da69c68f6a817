/* Functions that are chosen when they are bound. */
static int one(int x)
{
    return x + 1;
}

static int two(int x)
{
    return x + 2;
}

static int (*resolve(void))(int)
{
    volatile int which = 1;
    if (which)
        return one;
    return two;
}

int picked(int x) __attribute__((ifunc("resolve")));

static int (*resolve_other(void))(int)
{
    return two;
}

int other(int x) __attribute__((ifunc("resolve_other")));
