// A program of two units that share types, for every form debug information comes in.
#include "forms.hpp"

static int calls = 40;
shapes::Either either = {1.5};
shapes::Node nodes[2] = {{nullptr, {1, 2}, shapes::Colour::blue, 17}, {&nodes[0], {3, 4}, shapes::Colour::red, 2}};

static inline int twice(int n) {
    int result = n * 2;
    calls += result;
    return result;
}

int main(int argc, char **) {
    shapes::Point corner = {argc + 6, -3};
    shapes::Pair<short> pair = {5, 6};
    shapes::Pair<double> wide = {0.25, 8};
    long total = part(corner, pair, &nodes[1]) + twice(argc);
    return total == calls && wide.first < 1;
}
