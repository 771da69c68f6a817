/* Memory that changes from line to line, and that differs between the ranks. */
#include <stdlib.h>

struct link { long number; struct link *next; };

int main(void);
static int (*function)(void) = main;
static unsigned char bytes[64] = "text \033[31m";

int main(void)
{
    const char *word = getenv("RANKSCOPE_RANK");
    struct link last = {2, 0}, first = {1, &last};
    volatile int rank = word ? atoi(word) : 0;
    bytes[32] = (unsigned char)(0xa0 + rank);
    bytes[40] = 0x11; /* BREAK different */
    bytes[41] = 0x22;
    bytes[42] = 0x33;
    return first.next == &last && function ? 0 : rank;
}
