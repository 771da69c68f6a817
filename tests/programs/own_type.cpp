// A type with the name of a variable that the mathematical library keeps for itself.
#include <cmath>
#include <cstdio>

union U {
    int i;
    float f;
};

int main(int count, char **)
{
    U u;
    u.i = count;
    std::printf("%f\n", std::tgamma(u.i + 0.5));
    return 0;
}
