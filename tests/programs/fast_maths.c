/* Linked with -ffast-math: denormal numbers are taken for 0 and become 0. Exits with 0 if that stays so. */
#include <float.h>
#include <xmmintrin.h>

int main(void)
{
    volatile double tiny = DBL_MIN, zero = 0, quotient;
    quotient = 1 / zero; /* BREAK divide */
    quotient = tiny / 2;
    return (_mm_getcsr() & 0x8040) == 0x8040 && quotient == 0 ? 0 : 1;
}
