/* Arrays of doubles, and the time that a loop in the process takes for the statistics of one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double *smooth, *rough, *normal;
long count;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double measure(const double *values) {
    long parts[10] = {0}, at;
    double low = INFINITY, high = -INFINITY, sum = 0, squares = 0, begin = now();
    for (at = 0; at < count; at++) {
        double value = values[at];
        low = value < low ? value : low;
        high = value > high ? value : high;
        sum += value;
        squares += value * value;
    }
    for (at = 0; at < count; at++) {
        int part = (int)((values[at] - low) * (10 / (high - low)));
        parts[part < 9 ? part : 9]++;
    }
    fprintf(stderr, "%g %g %g %ld\n", sum, squares, low, parts[0]);
    return now() - begin;
}

__attribute__((noipa)) static void measured(void) {}

int main(int arguments, char **values) {
    long at;
    unsigned long state = 1;
    count = atol(arguments > 1 ? values[1] : "1000000");
    smooth = malloc(count * sizeof *smooth);
    rough = malloc(count * sizeof *rough);
    normal = malloc(count * sizeof *normal);
    for (at = 0; at < count; at++) {
        state = state * 6364136223846793005UL + 1442695040888963407UL;
        rough[at] = (double)(state >> 11);
        smooth[at] = sin(at * 1e-6);
        /* Box and Muller; a sample has not its extremes. */
        normal[at] = sqrt(-2 * log(((state >> 11) + 1) * 0x1p-53)) * cos(at * 2.39996);
    }
    printf("smooth %f\nrough %f\nnormal %f\n", measure(smooth), measure(rough), measure(normal));
    fflush(stdout);
    measured();
    return 0;
}
