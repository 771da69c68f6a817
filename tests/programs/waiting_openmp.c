// One thread waits in OpenMP for another one, which sleeps.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_inside;

static void hold(void) {
    __atomic_store_n(&is_inside, 1, __ATOMIC_SEQ_CST);
    puts("waiting");
    fflush(stdout);
    for (;;) {
        sleep(60); /* BREAK sleep */
    }
}

int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "";
    int waits = 0;
#pragma omp parallel num_threads(2) /* BREAK end */
    {
        int is_first = omp_get_thread_num() == 0;
        if (!strcmp(part, "barrier")) {
            if (!is_first) {
                hold();
            }
#pragma omp barrier /* BREAK barrier */
            waits++;
        } else if (!strcmp(part, "critical")) {
            while (is_first && !__atomic_load_n(&is_inside, __ATOMIC_SEQ_CST)) {
            }
#pragma omp critical /* BREAK critical */
            hold();
        } else if (!strcmp(part, "end") && !is_first) {
            hold();
        }
    }
    return waits;
}
