/* Arrays for a view of them: of several dimensions, with odd numbers, changing, and one that is larger than memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HUGE_COUNT = 1000000000, ROWS = 200, COLUMNS = 300 };

struct cell {
  double heat;
  int kind;
};

static double field[ROWS][COLUMNS];
static int cube[3][40][50];
static float wave[5000];
static struct cell cells[60];
static unsigned char bytes[16];
static const char *words = "not an array";
static double nothing[1];
static double *huge;

static void fill(int step) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      field[i][j] = sin(i * 0.05 + step) * cos(j * 0.03);
  field[7][3] = NAN;
  field[150][250] = step ? INFINITY : 1;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 50; j++)
        cube[k][i][j] = 10000 * k + 100 * i + j;
  cube[1][20][30] = -1 - step;
  for (int i = 0; i < 5000; i++)
    wave[i] = (float)(sin(i * 0.01) * exp(i * -0.0005));
  for (int i = 0; i < 60; i++)
    cells[i] = (struct cell){i * 0.5, i % 3};
}

/* The tables of the pages that have been touched, in kB, by whom it may be: proc(5). */
static long page_tables(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long size = -1;
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmPTE: %ld", &size) == 1)
      break;
  if (status)
    fclose(status);
  return size;
}

int main(void) {
  huge = mmap(NULL, HUGE_COUNT * sizeof *huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (huge == MAP_FAILED)
    return 1;
  huge[500000003] = 42;
  for (int step = 0; step < 1000; step++) {
    fill(step);
    printf("step %d tables %ld %s %d %g\n", step, page_tables(), words, bytes[0], nothing[0]); /* filled */
    fflush(stdout);
  }
  return cells[0].kind;
}
