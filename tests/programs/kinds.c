/* A value of every kind of type that C has, in memory, in registers and half gone. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

enum shape { ROUND, SQUARE = 4, ODD = -2 };
enum mask { READ = 1, WRITE = 2, RUN = 4 };

struct mixed {
    unsigned low : 3;
    signed middle : 9;
    enum mask rights : 3;
    bool yes : 1;
    struct {
        int inner;
        union {
            float f;
            unsigned u;
        };
    };
    union {
        char bytes[8];
        double d;
    } named;
    int (*call)(int, struct mixed *);
    const struct mixed *self;
    char tail[];
};

typedef struct mixed mixed_t;
typedef int (*callback)(int, struct mixed *);
typedef float four __attribute__((vector_size(16)));
typedef int table_t[2][3];

long double long_doubles[3] = {1.5L, -0.0L, 1e4000L};
float complex small_complex = 1.5f - 2.0f * I;
double complex a_complex = 0.25 + 3.0 * I;
long double complex long_complex = 1.0L + 2.0L * I;
__int128 wide_integer = ((__int128)1 << 100) + 7;
unsigned __int128 wide_unsigned = ~(unsigned __int128)0;
wchar_t wide_text[] = L"wid\u00e9";
const wchar_t *wide_pointer = wide_text;
char16_t text16[] = u"six";
char32_t text32[] = U"th\U0001f600";
char bytes_of_text[4] = {1, 2, (char)200, 3};
unsigned char octets[5] = "oct";
char no_end[3] = {'a', 'b', 'c'};
const char *texts[] = {"one", 0, "three"};
four lanes = {1, 2, 3, 4};
table_t table = {{1, 2, 3}, {4, 5, 6}};
table_t *table_pointer = &table;
enum shape shapes[3] = {ROUND, ODD, (enum shape)9};
enum mask rights = READ | RUN, none;
volatile const int still = 5;
int *restrict lone;
void *anything = &table;
int (*calls[2])(int, struct mixed *);
bool flags[2] = {true, false};
_Float128 quad = 1.25;
float infinite, not_a_number;
struct opaque *hidden;
struct {
    int unnamed;
} nameless = {3};
volatile int sink;

__attribute__((noinline)) static int called(int n, struct mixed *m)
{
    static int times;
    register int half = n / 2;
    long double precise = n * 1.25L;
    double complex turned = a_complex * n;
    times++;
    sink += half + (int)precise + (int)creal(turned) + (m ? m->inner : 0); /* called */
    return times;
}

__attribute__((noinline)) static long double halves(struct mixed by_value, float f, long double precise)
{
    struct {
        int first, second;
    } pair = {(int)f, by_value.inner};
    union {
        int whole;
        short parts[2];
    } split = {pair.first};
    sink += pair.second + split.parts[1];
    precise += f;
    sink += (int)precise; /* halves */
    return precise;
}

int main(void)
{
    mixed_t *m = calloc(1, sizeof *m + 8);
    *m = (mixed_t){.low = 5, .middle = -100, .rights = READ | WRITE, .yes = true, .inner = 7, .f = 2.5f};
    m->call = called;
    m->self = m;
    m->named.d = 0.5;
    callback back = called;
    calls[0] = back;
    infinite = 1.0f / (float)sink;
    not_a_number = infinite - infinite;
    int dynamic[(sink & 1) + 3];
    for (int i = 0; i < 3; i++)
        dynamic[i] = i;
    lone = &dynamic[1];
    sink += calls[0](3, m) + dynamic[2];
    sink += (int)halves(*m, 1.5f, 2.5L);
    printf("%d\n", sink);
    return 0;
}
