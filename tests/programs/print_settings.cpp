// Values of classes whose looks depend on the settings for printing.
#include <list>
#include <map>
#include <string>
#include <vector>

struct Plain {
    int a;
    static int count;
    static Plain one;
    int b;
};
int Plain::count = 3;
Plain Plain::one = {7, 8};

struct OnlyStatic {
    static int n;
};
int OnlyStatic::n = 5;

struct BaseOnly : Plain {};

class Shape {
public:
    int id = 1;
    virtual ~Shape() {}
    virtual int area() { return 0; }
};

class Square : public Shape {
public:
    int side = 4;
    int area() override { return side * side; }
};

struct Named {
    const char *name = "named";
    virtual int length() { return 5; }
};

class Both : public Square, public Named {
public:
    int extra[2] = {5, 6};
};

struct Root {
    int root = 1;
    virtual ~Root() {}
};
struct Left : virtual Root {
    int left = 2;
};
struct Leaf : Left {
    int leaf = 4;
};

struct Holder {
    Shape *p;
    Shape &r;
    Square s;
    bool ok;
    Named *n;
};

enum class Colour { Red, Green };

struct Inside {
    std::vector<int> numbers;
    std::map<int, std::string> names;
    std::string text;
};

Plain plain{1, 2};
OnlyStatic only;
BaseOnly base;
Square square;
Both both;
Leaf leaf;
Shape shape;
Shape *ps = &both;
const Shape *cps = &both;
Shape &rs = both;
Named *pn = &both;
Root *pr = &leaf;
Shape *null = nullptr;
Shape *self = &shape;
Shape **pps = &ps;
void *any = &both;
Holder holder{ps, rs, square, true, pn};
Colour colour = Colour::Green;
int &number = plain.a;
Plain &rp = plain;
Square squares[2];
Inside inside{{1, 2, 3}, {{1, "one"}, {2, "two"}}, "text"};
std::vector<Plain> plains(2, plain);
std::vector<std::vector<int>> rows{{1, 2}, {3}};
std::map<std::string, Plain> by_name{{"k", plain}};
std::list<int> listed{1, 2};

static int stop_here(int x) {
    return x;
}

int main() {
    base.a = 1;
    base.b = 2;
    int result = ps->area() + both.length() + rs.id + pr->root + (*pps)->id + cps->id + self->id;
    return stop_here(result) + only.n + number + rp.a + squares[0].id + (any == nullptr) + (null == nullptr) + int(colour) +
           holder.ok + int(inside.numbers.size() + plains.size() + rows.size() + by_name.size() + listed.size());
}
