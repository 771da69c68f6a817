#include <complex.h>
struct small { int a, b; };
struct mixed { double d; long n; };
struct floats { float x, y; double z; };
struct big { long words[5]; };
union either { double d; long n; };
enum mood { CALM, BUSY = 5 };
typedef unsigned short word;
char letter(void) { return 'x'; }
word half(void) { return 65535; }
long negative(void) { return -3; }
float single(void) { return 1.5f; }
double twice(void) { return 2.25; }
long double wide(void) { return 3.5L; }
enum mood mood(void) { return BUSY; }
_Bool truth(void) { return 1; }
struct small small(void) { return (struct small){1, -2}; }
struct mixed mixed(void) { return (struct mixed){0.5, 7}; }
struct floats floats(void) { return (struct floats){1.5f, 2.5f, 3.5}; }
struct big big(void) { return (struct big){{1, 2, 3, 4, 5}}; }
union either either(void) { return (union either){.n = 42}; }
void nothing(void) { }
int main(void)
{
    letter(); half(); negative(); single(); twice(); wide(); mood(); truth();
    small(); mixed(); floats(); big(); either(); nothing();
    return 0;
}
