/* Rank 1, or the rank that is named, writes where there is nothing; rank 2 aborts, rank 3 divides by zero. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void push(struct node *list, int value)
{
    list->value = value;
}

int main(int argc, char **argv)
{
    struct node first = {0, NULL};
    struct node *list = &first;
    int rank = atoi(getenv("RANKSCOPE_RANK"));
    int faulty = argc > 1 ? atoi(argv[1]) : 1;
    if (rank == faulty)
        list = first.next;
    if (rank == 2)
        abort();
    if (rank == 3)
        rank = rank / first.value;
    push(list, rank);
    return 0;
}
