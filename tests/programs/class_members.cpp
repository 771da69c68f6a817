/* Members of classes: by their class, through pointers to members, and as parts of related classes. */
#include <cstring>
#include <typeinfo>

struct Base {
    int id;
    long x;
    Base(int i) : id(i), x(10 * i) {}
    virtual ~Base() {}
    virtual int who() { return id; }
    int plain(int n) { return id + n; }
};

struct Other {
    int id;
    Other() : id(77) {}
    virtual int kind() const { return 7; }
    virtual ~Other() {}
};

struct Derived : Base, Other {
    int id;
    int y;
    static int count;
    Derived(int i) : Base(i), id(100 * i), y(3) {}
    int who() override { return Base::who() + 1000; }
    int plain(int n) { return id - n; }
    int kind() const override { return 8; }
    int stop(int n, const char *name);

private:
    typedef int number;
    number hidden = 4;
};
int Derived::count = 12;

struct Shared : virtual Other {
    int own = 9;
};

struct Point {
    int x, y;
    Point(int a, int b) : x(a), y(b) {}
    Point operator+(const Point &o) const { return Point(x + o.x, y + o.y); }
    bool operator==(const Point &o) const { return x == o.x && y == o.y; }
    int operator[](int i) const { return i ? y : x; }
    int operator()(int k) const { return k * x; }
    Point operator-() const { return Point(-x, -y); }
    operator bool() const { return x != 0; }
};
bool operator<(const Point &a, const Point &b) { return a.x < b.x; }

namespace outer {
int depth = 1;
namespace inner {
int depth = 2;
int f(int a) { return a + depth; }
}
namespace alias = inner;
using inner::f;
inline namespace v1 {
int versioned = 9;
}
}
namespace {
int secret = 42;
}
namespace oi = outer::inner;

long Base::*px = &Base::x;
int Derived::*py = &Derived::y;
int Base::*nothing = nullptr;
int (Base::*pplain)(int) = &Base::plain;
int (Base::*pwho)() = &Base::who;
int (Derived::*pdplain)(int) = &Derived::plain;
int (Base::*no_method)(int) = nullptr;
struct Holder {
    int Derived::*m;
    int (Base::*f)(int);
};
Holder holder = {&Derived::y, &Base::plain};
int Derived::*table[2] = {&Derived::y, &Derived::id};

struct Plain {
    char name[8];
};
Plain plain = {"abc"};

int counter(int n) {
    static int calls = 5;
    calls += n;
    return calls;
}

int Derived::stop(int n, const char *name) {
    int local = n + (int)std::strlen(name);
    return local + this->id + Base::id; /* in method */
}

int main() {
    Derived d(3);
    Base *b = &d;
    Base &rb = d;
    Other *o = &d;
    Derived *pd = &d;
    const Derived cd(4);
    Shared shared;
    Shared *ps = &shared;
    Other *so = ps;
    Point a(1, 2), c(3, 4), e(1, 2);
    int result = (b->*pplain)(1) + (d.*pwho)() + (pd->*pdplain)(1) + (int)(d.*px) + d.*py + counter(1);
    result += (a == e) + (a + c).x + a[1] + a(3) + (a < c) + (-a).y + (bool)a;
    result += outer::f(1) + secret + outer::versioned + oi::depth + cd.y + so->kind() + rb.who() + o->kind();
    result += typeid(*b) == typeid(Derived);
    result += typeid(Point) == typeid(int);
    const char *names[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        result += d.stop(i, names[i]);
    }
    return holder.m != nothing && table[0] && no_method && plain.name[0] && result; /* stop */
}
