/* Functions of a table that give their frames up for what they call last: at -O2. */
volatile int sink = 3;
__attribute__((noinline)) void leaf(int n)
{
    sink = n; /* stop */
    sink++;
}
static void twice(int n)
{
    leaf(n * 2); /* twice */
}
static void thrice(int n)
{
    leaf(n * 3); /* thrice */
}
struct job {
    const char *name;
    void (*run)(int);
};
static const struct job jobs[] = {{"twice", twice}, {"thrice", thrice}};
int main(int argc, char **argv)
{
    (void)argv;
    for (const struct job *job = jobs; job < jobs + argc + 1; job++)
        job->run(sink);
    return sink == 0;
}
