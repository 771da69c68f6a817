/* Things to look at: texts of all lengths, tables, structures with holes, a stack. */
#include <stdint.h>
#include <string.h>

struct inner {
    char tag;
    double weight;
};

union either {
    int number;
    char bytes[8];
};

struct holes {
    char first;
    int second;
    short third;
    struct inner inner;
    unsigned low : 3;
    unsigned high : 5;
    union either either;
    char last;
};

char longer[600];
char exact[201];
char several[] = "aa\0bb\0cc\0dd";
int table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
const char *words[] = { "one", "two", "three" };
struct holes holes;
static int hidden_count = 3;

static int leaf(int a, const char *text)
{
    int local = a + hidden_count;
    return local + (int)strlen(text); /* in the leaf */
}

static int branch(int n)
{
    int sum = leaf(n, words[n]);
    {
        long inside = sum * 2;
        sum += (int)inside; /* BREAK in the block */
    }
    return sum;
}

int main(void)
{
    for (int i = 0; i < 520; i++)
        longer[i] = (char)('a' + i % 26);
    memset(exact, 'z', 100);
    for (int i = 100; i < 200; i++)
        exact[i] = (char)('a' + i % 20);
    holes.either.number = 7;
    return branch(1) + table[0] == 0;
}
