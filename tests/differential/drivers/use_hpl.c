/* HPL as it is within hpcc, on a small system of equations; one process is enough. */
#include <hpcc.h>
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

/* What is solved where no file says it. */
int HPCC_Defaults(HPL_T_test *test, int *ns, int *n, int *nbs, int *nb, HPL_T_ORDER *order, int *npqs, int *p, int *q,
                  int *npfs, HPL_T_FACT *pf, int *nbms, int *nbm, int *ndvs, int *ndv, int *nrfs, HPL_T_FACT *rf,
                  int *ntps, HPL_T_TOP *tp, int *ndhs, int *dh, HPL_T_SWAP *swap, int *threshold, int *l1, int *u,
                  int *equil, int *align, MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    *ns = *nbs = *npqs = *npfs = *nbms = *ndvs = *nrfs = *ntps = *ndhs = 1;
    test->thrsh = 16.0;
    *n = 96;
    *nb = 16;
    *order = HPL_COLUMN_MAJOR;
    *p = 1;
    *q = size;
    *pf = HPL_RIGHT_LOOKING;
    *nbm = 4;
    *ndv = 2;
    *rf = HPL_CROUT;
    *tp = HPL_1RING_M;
    *dh = 1;
    *swap = HPL_SW_MIX;
    *threshold = 64;
    *l1 = *u = 0;
    *equil = 1;
    *align = 8;
    return 0;
}

int main(int argc, char **argv) {
    HPL_RuntimeData data;
    int failure = 0;
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    /* It writes what it found into a file where it is. */
    if (length < 0 || (self[length] = 0, chdir(dirname(self))))
        return 2;
    MPI_Init(&argc, &argv);
    HPL_main(argc, argv, &data, &failure);
    MPI_Finalize();
    return failure;
}
