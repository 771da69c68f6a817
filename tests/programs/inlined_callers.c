/* A function that is called from one that is inlined, also without optimisation. */
volatile int sink;

__attribute__((noinline)) static void deep(int x)
{
    sink += x; /* BREAK deep */
}

static inline __attribute__((always_inline)) void wrapper(int x)
{
    deep(x);
    sink++; /* BREAK after deep */
}

int main(void)
{
    wrapper(1);
    sink = 0; /* BREAK wrapped */
    return sink;
}
