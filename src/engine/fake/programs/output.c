/* Lines on both outputs, some equal on all ranks. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    int lines = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < lines; i++)
        printf("line %d\n", i);
    printf("rank %d\n", rank);
    fprintf(stderr, "warning from %d\n", rank % 2);
    return rank % 2;
}
