/* A library between a program and its MPI, as profilers are: it changes the masks of floating-point exceptions around the
 * calls, in the way that the program's first argument names. */
#include <fenv.h>
#include <mpi.h>
#include <string.h>
#include <xmmintrin.h>

#define ALL_MASKED 0x1f80

static const char *way = "";

struct kept {
    unsigned word;
    fenv_t environment;
};

static void enter(struct kept *kept) {
    kept->word = _mm_getcsr();
    if (!strcmp(way, "default"))
        fesetenv(FE_DFL_ENV);
    if (!strcmp(way, "hold"))
        feholdexcept(&kept->environment);
    if (!strcmp(way, "word"))
        _mm_setcsr(ALL_MASKED);
}

static void leave(const struct kept *kept) {
    if (!strcmp(way, "default"))
        fesetenv(FE_DFL_ENV);
    if (!strcmp(way, "hold"))
        fesetenv(&kept->environment);
    if (!strcmp(way, "word"))
        _mm_setcsr(kept->word);
    if (!strcmp(way, "masked"))
        _mm_setcsr(ALL_MASKED);
}

int MPI_Init(int *count, char ***arguments) {
    struct kept kept;
    int result;
    way = (*arguments)[1];
    enter(&kept);
    result = PMPI_Init(count, arguments);
    leave(&kept);
    return result;
}

int MPI_Barrier(MPI_Comm group) {
    struct kept kept;
    int result;
    enter(&kept);
    result = PMPI_Barrier(group);
    leave(&kept);
    return result;
}
