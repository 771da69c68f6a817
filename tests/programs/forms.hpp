// What both units of the program of forms know.
#pragma once
namespace shapes {
enum class Colour : short { red = 1, green, blue = 9 };
struct Point {
    int x, y;
    long sum() const { return long(x) + y; }
};
template <typename T> struct Pair {
    T first, second;
};
union Either {
    double real;
    unsigned char bytes[8];
};
struct Node {
    Node *next;
    Point at;
    Colour colour : 8;
    unsigned flags : 5;
};
}
using Chain = shapes::Node *;
long part(const shapes::Point &point, shapes::Pair<short> pair, Chain chain);
extern shapes::Either either;
