// The other unit.
#include "forms.hpp"

static const char *words[3] = {"one", "two", "three"};
thread_local int depth = 3;

namespace shapes {
static long weigh(const Node &node, int factor) {
    long weight = node.at.sum() * factor;
    if (node.next)
        weight += weigh(*node.next, factor + 1);
    return weight; /* weighed */
}
}

long part(const shapes::Point &point, shapes::Pair<short> pair, Chain chain) {
    shapes::Either local = either;
    depth += pair.first;
    long weight = shapes::weigh(*chain, depth);
    return weight + point.sum() + local.bytes[0] + words[1][0];
}
