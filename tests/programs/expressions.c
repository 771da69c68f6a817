/* Names that hide each other, types of every kind, functions to call: what expressions are asked about. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x; double y; };
struct wide { long a, b, c, d; };
struct pair { float first, second; };
struct mixed { double weight; long count; };
struct tiny { char bytes[3]; };
typedef struct { short s; unsigned bits : 5; signed more : 7; } record;
enum color { RED, GREEN = 5, BLUE };
union number { int whole; float part; };
typedef int table[4];

int counter = 3;
static int hidden = 44;
double ratio = 0.75;
const char *text = "a text";
char buffer[16] = "buffer";
int numbers[8] = {0, 10, 20, 30, 40, 50, 60, 70};
int grid[3][2] = {{1, 2}, {3, 4}, {5, 6}};
struct point corner = {3, 1.5};
struct point corners[2] = {{1, 1.25}, {2, 2.25}};
record packed = {7, 21, -3};
enum color paint = GREEN;
union number either = {.part = 1.0f};
int *third = numbers + 3;
void *nothing = 0;
long calls = 0;

static int scaled(int value) {
    static int factor = 6;
    int local = value * factor;
    factor++;
    return local;
}

int add(int left, int right) { calls++; return left + right; }
double half(double of) { return of / 2; }
float quarter(float of) { return of / 4; }
long double eighth(long double of) { return of / 8; }
char next_letter(char of) { return of + 1; }
unsigned char lower_byte(unsigned of) { return of; }
_Bool is_odd(int of) { return of % 2 != 0; }
long many(int a, long b, short c, char d, unsigned e, long f, int g, char h, double i, int j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (long)i + 10 * j;
}
double reals(double a, float b, double c, double d, double e, double f, double g, double h, double i, double j) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
size_t length(const char *of) { return strlen(of); }
char *greeting(void) { return "hello"; }
struct point made(int x, double y) { struct point p = {x, y}; return p; }
struct wide widened(long by) { struct wide w = {by, by + 1, by + 2, by + 3}; return w; }
struct pair both(float first, float second) { struct pair p = {first, second}; return p; }
struct mixed blend(double weight, long count) { struct mixed m = {weight, count}; return m; }
struct tiny three(char c) { struct tiny t = {{c, c + 1, c + 2}}; return t; }
double norm(struct point of) { return of.x * of.y; }
long total(struct wide of) { return of.a + of.b + of.c + of.d; }
float summed(struct pair of) { return of.first + of.second; }
double blended(struct mixed of, int extra) { return of.weight * of.count + extra; }
int tiny_sum(struct tiny of) { return of.bytes[0] + of.bytes[1] + of.bytes[2]; }
enum color after(enum color of) { return of == RED ? GREEN : BLUE; }
union number doubled(union number of) { of.part *= 2; return of; }
int *where(int index) { return &numbers[index]; }
void nothing_returned(int value) { counter = value; }
int apply(int (*with)(int, int), int left) { return with(left, 100); }
int sum_of(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
int factorial(int of) { return of < 2 ? 1 : of * factorial(of - 1); }
int crash(int value) { int *bad = 0; calls = 1000; return *bad + value; }
int gives_up(void) { abort(); }
int leaves(int code) { exit(code); }
int forever(void) { volatile int on = 1; while (on) { } return on; }
int (*chosen)(int, int) = add;

static int inner(int depth) {
    int level = depth;
    if (depth == 0) {
        calls += depth;
        return level; /* deepest */
    }
    return inner(depth - 1) + level;
}

int outer(int argument) {
    int counter = argument + 1000;
    double ratio = 2.5;
    struct point corner = {8, 9.5};
    {
        int counter = argument + 2000;
        return inner(2) + counter + (int)ratio + corner.x;
    }
}

int main(void) {
    int value = scaled(2) + hidden;
    value += outer(7);
    printf("%d %ld\n", value + add(1, 2) + factorial(3), many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%g %g\n", half(3), reals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    return 0;
}
