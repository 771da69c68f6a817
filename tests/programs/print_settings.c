/* Values whose looks depend on the settings for printing. */
#include <string.h>

typedef int (*function)(int);

static int twice(int x) {
    return 2 * x;
}

union number {
    int i;
    float f;
    char c[4];
};

struct inner {
    int a;
    union number v;
    int row[3];
};

struct outer {
    struct inner one;
    struct inner many[2];
    function call;
    int *p;
    const char *name;
    char text[16];
    char full[4];
    int grid[2][3];
    union {
        int hidden_i;
        unsigned hidden_u;
    };
    struct {
        int q;
        struct {
            int r;
        } s;
    };
    double d[2];
    int *pointers[2];
    enum { RED, BLUE } colour;
};

struct nothing {};

int table[5] = {1, 2, 3, 4, 5};
int zeros[40];
struct inner same[20];
struct nothing none;
struct outer o;
struct outer *po = &o;
int *local = table;
char *text = o.text;
function call = twice;
void *any = &o;
int (*row)[5] = &table;
char big[300];
char parts[8] = "a\0b\0c";

static int stop_here(int x) {
    return x;
}

int main(void) {
    o.one.a = 1;
    o.one.v.i = 7;
    o.many[0].row[1] = 5;
    o.many[1].v.i = 9;
    o.call = twice;
    o.p = &table[2];
    o.name = "name";
    strcpy(o.text, "abc");
    memcpy(o.full, "wxyz", 4);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            o.grid[i][j] = 10 * i + j;
    o.hidden_i = 3;
    o.q = 4;
    o.s.r = 5;
    o.d[0] = .5;
    o.pointers[0] = table;
    o.pointers[1] = &o.q;
    memset(big, 'x', sizeof big);
    struct inner last = {1, {2}, {3, 4, 5}};
    int *second = &table[1];
    return stop_here(call(*local)) + last.a + *second;
}
