/* Floating-point exceptions of both units, by threads, children and programs that look at masks and flags themselves.
   Ends with 0 if every result and every flag is as it is without a debugger. */
#define _GNU_SOURCE
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#define APART __attribute__((noipa))
typedef double pair __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));

static int faults;
volatile int stage;

static void check(int holds, int line) {
    if (!holds) {
        printf("line %d does not hold\n", line);
        faults = 1;
    }
}
#define CHECK(condition) check(condition, __LINE__)

APART double divide(double a, double b) { return a / b; }
APART float divide_single(float a, float b) { return a / b; }
APART double multiply(double a, double b) { return a * b; }
APART double root(double a) { __asm__("sqrtsd %0, %0" : "+x"(a)); return a; }
APART int whole(double a) { return (int)a; }
APART pair divide_pair(pair a, pair b) { return a / b; }
APART int less(double a, double b) { return a < b; }
__attribute__((target("avx"))) APART void divide_four(const four *a, const four *b, four *c) { *c = *a / *b; }
APART long double divide_long(long double a, long double b) { return a / b; }
APART long double root_long(long double a) { __asm__("fsqrt" : "+t"(a)); return a; }
APART long double multiply_long(long double a, long double b) { return a * b; }
/* Other instructions come between the operation and the next of its unit. */
APART long double late(long double a, long double b, volatile int *counter) {
    long double result;
    __asm__("fldt %1\n\tfldt %2\n\tfdivrp\n\tincl %3\n\tincl %3\n\tfstpt %0"
            : "=m"(result) : "m"(a), "m"(b), "m"(*counter) : "memory");
    return result;
}

static void plain(void) {
    pair pairs = divide_pair((pair){1, 1}, (pair){0, 4});
    volatile int counter = 0;
    int all;
    CHECK(pairs[0] == INFINITY && pairs[1] == 0.25);
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(divide(1, 0) == INFINITY);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    CHECK(divide(1, -0.0) == -INFINITY);
    CHECK(isnan(root(-1)));
    CHECK(fetestexcept(FE_ALL_EXCEPT) == (FE_DIVBYZERO | FE_INVALID));
    CHECK(multiply(1e308, 10) == INFINITY);
    all = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_INEXACT;
    CHECK(fetestexcept(FE_ALL_EXCEPT) == all);
    CHECK(divide_single(1, 0) == INFINITY);
    CHECK(whole(1e30) == (int)0x80000000);
    CHECK(less(NAN, 1) == 0);
    CHECK(multiply(1e-300, 1e-20) > 0);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == (all | FE_UNDERFLOW));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(multiply(DBL_MIN, 0.25) == DBL_MIN / 4);
    CHECK(multiply_long(LDBL_MIN, 0.25L) == LDBL_MIN / 4);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
    CHECK(multiply_long(LDBL_MIN * 1.25L, LDBL_EPSILON) == LDBL_MIN * LDBL_EPSILON);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == (FE_UNDERFLOW | FE_INEXACT));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK(divide_long(1, 0) == INFINITY);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    CHECK(divide_long(2, 0) == INFINITY);
    CHECK(isnan(root_long(-1)));
    CHECK(multiply_long(LDBL_MAX, 4) == INFINITY);
    CHECK(late(3, 0, &counter) == INFINITY && counter == 2);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == all);
}

static void avx(void) {
    four a = {1, 2, 3, 4}, b = {1, 0, 1, 0}, c;
    divide_four(&a, &b, &c);
    CHECK(c[0] == 1 && c[1] == INFINITY && c[2] == 3 && c[3] == INFINITY);
}

static pthread_barrier_t barrier;

static void *work(void *argument) {
    (void)argument;
    pthread_barrier_wait(&barrier);
    /* The stop is here. */
    pthread_barrier_wait(&barrier);
    CHECK(divide(1, 0) == INFINITY);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    return NULL;
}

APART void stop_here(void) { stage++; }

static void threads(void) {
    pthread_t old, new;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&old, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    stop_here();
    pthread_barrier_wait(&barrier);
    pthread_join(old, NULL);
    pthread_create(&new, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_join(new, NULL);
}

static void masks(void) {
    fenv_t saved;
    CHECK(fegetexcept() == 0);
    fesetenv(FE_DFL_ENV);
    CHECK(divide(1, 0) == INFINITY);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    feholdexcept(&saved);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
    CHECK(divide(2, 0) == INFINITY);
    feupdateenv(&saved);
    CHECK(fegetexcept() == 0);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
    _mm_setcsr(_mm_getcsr() | 0x8040);
    CHECK(divide(3, 0) == INFINITY);
    feraiseexcept(FE_DIVBYZERO);
    CHECK(divide_long(4, 0) == INFINITY);
    CHECK(fegetexcept() == 0);
}

static sigjmp_buf back;
static volatile sig_atomic_t signals, code;

static void handle(int number, siginfo_t *information, void *context) {
    (void)number, (void)context;
    signals++;
    code = information->si_code;
    siglongjmp(back, 1);
}

static void own(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    volatile int zero = 0;
    sigaction(SIGFPE, &action, NULL);
    CHECK(divide(1, 0) == INFINITY);
    feenableexcept(FE_INVALID);
    CHECK(fegetexcept() == FE_INVALID);
    if (sigsetjmp(back, 1) == 0) {
        root(-1);
        CHECK(0);
    }
    CHECK(signals == 1 && code == FPE_FLTINV);
    if (sigsetjmp(back, 1) == 0) {
        stage = 7 / zero;
        CHECK(0);
    }
    CHECK(signals == 2 && code == FPE_INTDIV);
    fedisableexcept(FE_INVALID);
    CHECK(isnan(root(-1)));
}

static void inlined(void) {
    _mm_setcsr(0x1f80);
    CHECK(divide(1, 0) == INFINITY);
    stop_here();
    CHECK(divide(2, 0) == INFINITY);
    CHECK(_mm_getcsr() & 4);
}

/* Saves masks while exceptions are caught, and restores them when they no longer are. */
static void kept(void) {
    unsigned word = _mm_getcsr();
    unsigned short control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    stop_here();
    _mm_setcsr(word);
    CHECK(divide(1, 0) == INFINITY);
    CHECK((_mm_getcsr() & 0x204) == 0x204);
    __asm__ volatile("fldcw %0" : : "m"(control));
    CHECK(divide_long(1, 0) == INFINITY);
    CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
}

static void child(void) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(divide(1, 0) == INFINITY && divide_long(1, 0) == INFINITY);
        CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
        stop_here();
        _exit(faults ? 1 : 7);
    }
    waitpid(pid, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(divide(2, 0) == INFINITY);
}

static void many(void) {
    int i;
    double sum = 0;
    for (i = 0; i < 20; i++) {
        sum += divide(i, i % 5) > 1e300;
    }
    CHECK(sum == 3);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "plain";
    if (strcmp(what, "plain") == 0) plain();
    if (strcmp(what, "avx") == 0) avx();
    if (strcmp(what, "threads") == 0) threads();
    if (strcmp(what, "masks") == 0) masks();
    if (strcmp(what, "own") == 0) own();
    if (strcmp(what, "inlined") == 0) inlined();
    if (strcmp(what, "kept") == 0) kept();
    if (strcmp(what, "child") == 0) child();
    if (strcmp(what, "many") == 0) many();
    if (strcmp(what, "exec") == 0) execl(arguments[0], arguments[0], "many", (char *)NULL);
    return faults;
}
