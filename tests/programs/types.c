/* A variable of every kind of type that C has. */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned int count_t;
typedef double vector[3];
typedef int (*operation)(int, int);

enum colour { RED, GREEN = 5, BLUE };
enum flags { READ = 1, WRITE = 2, EXECUTE = 4 };
enum level { LOW = -1, HIGH = 1 };

struct point {
    double x, y;
    char tag;
};

struct node {
    int value;
    struct node *next;
    const char *name;
};

union number {
    int i;
    float f;
    unsigned char bytes[4];
};

struct packed_bits {
    unsigned int a : 3;
    int b : 5;
    unsigned int : 2;
    unsigned int c : 12;
    _Bool d : 1;
};

struct nested {
    struct point corners[2];
    union number n;
    struct {
        int inner;
        vector v;
    };
    enum colour paint;
    operation how;
};

static int add(int a, int b)
{
    return a + b;
}

char a_char = 'q';
signed char a_signed_char = -5;
unsigned char an_unsigned_char = 200;
short a_short = -1234;
unsigned short an_unsigned_short = 65000;
int an_int = -42;
unsigned int an_unsigned = 4000000000u;
long a_long = -1234567890123L;
unsigned long an_unsigned_long = 18000000000000000000ul;
long long a_long_long = 1LL << 62;
float a_float = 0.1f;
double a_double = 1.0 / 3.0;
double huge = 1e300, tiny = -2.5e-310, whole = 100000.0;
double infinite, not_a_number;
long double a_long_double = 3.25L;
_Bool a_bool = 1;
float complex a_complex = 1.5f;
count_t a_count = 7;
size_t a_size = 99;
int8_t an_int8 = -1;
uint64_t an_uint64 = 1;
enum colour a_colour = BLUE;
enum colour no_colour = 9;
enum flags some_flags = READ | EXECUTE;
enum level a_level = LOW;
int numbers[5] = {1, 2, 3, 4, 5};
int repeated[40] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2};
int zeros[250];
int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
char text[12] = "hello";
char full[4] = {'a', 'b', 'c', 'd'};
char odd[8] = "a\tb\"\\\x01";
const char *words[3] = {"one", "two", NULL};
const char *pointer_to_text = "pointed \"at\"";
void *nothing = NULL;
void *something = &an_int;
int *pointer = &numbers[2];
int **pointer_to_pointer = &pointer;
struct point a_point = {1.5, -2.5, 'p'};
struct node tail = {2, NULL, "tail"};
struct node head = {1, &tail, "head"};
struct node *list = &head;
union number a_number = {0x3f800000};
struct packed_bits bits = {5, -3, 1000, 1};
struct nested deep = {{{1, 2, 'a'}, {3, 4, 'b'}}, {7}, {8, {0.5, 1.5, 2.5}}, GREEN, add};
operation an_operation = add;
vector a_vector = {0.25, 0.5, 0.75};
const int a_constant = 11;
volatile int a_volatile = 12;

static int show(struct point *p, int n, const char *name)
{
    register int counter = n;
    int local[3] = {n, n + 1, n + 2};
    struct point copy = *p;
    static int calls = 3;
    calls += local[1] + counter;
    printf("%s %g\n", name, copy.x); /* BREAK show */
    return calls;
}

int main(void)
{
    infinite = huge * huge;
    not_a_number = infinite - infinite;
    return show(&a_point, 4, "show") == 12 ? 0 : 1;
}
