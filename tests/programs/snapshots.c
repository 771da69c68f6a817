/* Values that change alike on some ranks only, and ranks that go on in another function. */
#include <stdlib.h>

struct cell {
    double t;
    int id;
};

int total;

static int other(int rank) {
    int twice = rank * 2;
    return twice; /* other */
}

static int work(int rank, int n) {
    struct cell cell = {0.5, 7};
    int same = n;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += rank / 2; /* round */
        cell.t += 1;
        total++;
    }
    return sum + same;
}

int main(void) {
    const char *text = getenv("RANKSCOPE_RANK");
    int rank = text ? atoi(text) : 0;
    int result = rank < 3 ? work(rank, 4) : 0;
    result += other(rank);
    return result > 100;
}
