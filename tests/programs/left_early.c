/* Functions that are left before their end, each with a result of another kind. */
struct pair { int a, b; };
struct mixed { double d; long n; };
struct big { long words[5]; };
struct pair spare = {3, -4};
struct mixed other = {2.5, 9};
struct big large;
int ended;
static char letter(void) { ended++; return 'x'; }
static long whole(long given) { ended++; return given; }
static float single(void) { ended++; return 1.5f; }
static double twice(void) { ended++; return 2.25; }
static const char *text(void) { ended++; return "end"; }
static struct pair pair(void) { ended++; return (struct pair){1, 2}; }
static struct mixed mixed(void) { ended++; return (struct mixed){0.5, 7}; }
static struct big big(void) { ended++; return large; }
static void nothing(void) { ended++; }
static long clobbers(void)
{
    __asm__ volatile("mov $7, %%rbx" ::: "rbx");
    return ended; /* BREAK clobbered */
}
static int deep(int n)
{
    if (n == 0)
        return 100; /* BREAK bottom */
    return deep(n - 1) + 1;
}
int main(void)
{
    char c = letter();
    long w = whole(5);
    float f = single();
    double d = twice();
    const char *t = text();
    struct pair p = pair();
    struct mixed m = mixed();
    struct big b = big();
    nothing();
    long k = clobbers();
    int n = deep(3);
    return c + w + f + d + t[0] + p.a + m.n + b.words[0] + k + n == 0; /* BREAK end */
}
