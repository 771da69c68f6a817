// Parameters that a function does not have any more when it is compiled: what was passed for them is known at its calls.
volatile int sink;
struct pair { long first, second; };
static __attribute__((noinline)) int gone(int kept, int removed, int constant)
{
    int twice = removed * 2;
    sink = kept;
    return kept + 1; /* gone */
}
static __attribute__((noinline)) long part(struct pair *p, int unused)
{
    long first = p->first;
    sink = 3;
    sink = first;
    return first + 1;
}
int main(int argc, char **argv)
{
    struct pair p = {argc, 2};
    return gone(argc, argc + 5, 17) + gone(sink, argc * 3, 17) + part(&p, argc + 2);
}
