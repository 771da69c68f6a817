/* Arrays of numbers that a debugger measures and searches. */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 70000 };

double grid[3][4];
float single[4] = {0.5f, -0.5f, INFINITY, 0.5f};
long double wide[3] = {1.0L, 1e-4940L, -2.0L};
signed char small[4] = {-128, 0, 1, 127};
int64_t far[3] = {INT64_MIN, INT64_MAX, INT64_MAX - 1};
unsigned char cube[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 250}}};
double _Complex waves[2];
struct { int a; } records[2];

int main(void) {
  const char *text = getenv("RANKSCOPE_RANK");
  int rank = text ? atoi(text) : 0;
  double limit = 2 + rank;
  int count = COUNT;
  double *heap = malloc(COUNT * sizeof *heap);
  for (int i = 0; i < COUNT; i++)
    heap[i] = i % 7 - 3;
  if (rank == 1) {
    heap[65000] = NAN;
    heap[65001] = -INFINITY;
    heap[65002] = 5e-324;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      grid[i][j] = i * 10 + j - 4;
  long page = sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + page, page);
  double (*cut)[8] = (double (*)[8])pages;
  cut[0][0] = 1;
  printf("%g %g %d\n", heap[0], limit, count); /* measured here */
  return 0;
}
