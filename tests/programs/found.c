/* What is found by its name, its bytes or its address. */
#include <string.h>

struct inner {
  char c;
  double d;
};
union both {
  int i;
  double d;
};
typedef struct {
  char tag;
  int count : 3;
  int rest : 7;
  struct inner in;
  union both u;
  struct {
    short a;
    long b;
  } unnamed;
  char name[5];
} packet;
enum colour { RED, GREEN };
typedef int (*callback)(int, const char *);

static int table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
const char *words[] = {"one", "two"};
int counter;
static __thread int of_thread = 5;
packet global_packet;
callback called_back;
double matrix[2][3];

static int add_numbers(int a, int b) {
  static int calls;
  calls++;
  return a + b; /* BREAK found */
}

int work_on(packet *p, enum colour c) {
  struct inner local = {1, 2};
  return add_numbers(p->count, c) + local.c + of_thread + table[1];
}

void *no_arguments(void) { return &matrix; }

int main(int argc, char **argv) {
  global_packet.count = 2;
  strcpy(global_packet.name, "abcd");
  counter = argc + (argv != 0) + (no_arguments() != 0);
  return work_on(&global_packet, GREEN) == 0 || called_back != 0 || words[0][0] != 'o';
}
