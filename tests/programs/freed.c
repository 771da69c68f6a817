/* Follows pointers to memory that was freed in the way that is named, on the ranks above 0,
 * or on all if EVERY_RANK is set. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    long value;
};

struct late {
    long value;
    struct late *next;
};

struct large {
    char room[2000];
    struct large *next;
    long value;
};

static long sum;

/* Of a list of three. */
static struct node *list(void)
{
    struct node *first = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = first;
        first = node;
    }
    return first;
}

static void release(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        free(node);
        node = next;
    }
}

static void *follow(void *unused)
{
    (void)unused;
    struct node *node = list();
    release(node);
    sum += node->next->value;
    return NULL;
}

static void walk(void)
{
    struct node *first = list();
    release(first);
    for (struct node *node = first; node; node = node->next)
        sum += node->value;
}

static void marked(void)
{
    struct late *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    free(one);
    free(other);
    sum += one->next->value;
}

/* More than a thread keeps for itself. */
static void many(void)
{
    struct node *nodes[9];
    for (int i = 0; i < 9; i++)
        nodes[i] = malloc(sizeof *nodes[i]);
    for (int i = 0; i < 9; i++)
        free(nodes[i]);
    struct node *last = nodes[8];
    sum += last->next->value;
}

static void large(void)
{
    struct large *block = malloc(sizeof *block), *behind = malloc(sizeof *behind);
    block->next = (struct large *)0x4242424242424242;
    free(block);
    sum += block->next->value + behind->value;
}

/* The list is damaged, too. */
static void written(void)
{
    struct node *node = list();
    release(node);
    node->next = (struct node *)0x4242424242424242;
    sum += node->next->value;
}

/* A block that was freed and is in use again, with what is left of before. */
static void again(void)
{
    struct node *node = malloc(sizeof *node);
    free(node);
    node = malloc(sizeof *node);
    sum += node->next->value;
}

/* A block in use, beside free ones. */
static void in_use(void)
{
    struct node *node = malloc(sizeof *node), *other = list();
    node->next = (struct node *)0x4242424242424242;
    release(other);
    sum += node->next->value;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    const char *rank = getenv("RANKSCOPE_RANK");
    if (rank && strcmp(rank, "0") == 0 && !getenv("EVERY_RANK"))
        return 0;
    if (strcmp(how, "next") == 0)
        follow(NULL);
    if (strcmp(how, "thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, follow, NULL);
        pthread_join(thread, NULL);
    }
    if (strcmp(how, "walk") == 0)
        walk();
    if (strcmp(how, "marked") == 0)
        marked();
    if (strcmp(how, "many") == 0)
        many();
    if (strcmp(how, "large") == 0)
        large();
    if (strcmp(how, "written") == 0)
        written();
    if (strcmp(how, "again") == 0)
        again();
    if (strcmp(how, "in-use") == 0)
        in_use();
    return 0;
}
