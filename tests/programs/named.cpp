// Functions with every sort of name.
#include <cstdio>
#include <string>
#include <vector>
namespace ns {
int f(int x) { return x + 1; }
int f(double x) { return (int)x; }
int f(const std::string &s) { return s.size(); }
template <typename T> T tmpl(T a) { return a; }
template <typename T> struct Box { T v; Box(T x) : v(x) {} ~Box() {} T get() { return v; } static T constant(T x) { return x; } T operator+(T o) { return v + o; } };
namespace inner { int f(char c) { return c; } }
}
namespace { int hidden(int x) { return x * 2; } }
struct Virtual { virtual ~Virtual(); Virtual(int x); int x; int m(int) const; int m(double); operator int() { return x; } bool operator==(const Virtual &o) const { return x == o.x; } };
Virtual::Virtual(int y) : x(y) {}
Virtual::~Virtual() {}
int Virtual::m(int a) const { return a; }
int Virtual::m(double a) { return (int)a; }
struct Derived : virtual Virtual { Derived() : Virtual(1) {} };
int f(int x) { return x; }
template <typename... A> int pack(A... a) { return sizeof...(a); }
extern "C" int plain_c(int x) { return x; }
static int unseen(int x) { return x; }
int called(int (*g)(int), const char *const *p, unsigned long u) { return g(1); }
int main() {
  auto lambda = [](int x) { return x + 1; };
  ns::Box<int> b(1); ns::Box<double> d(2); ns::Box<std::vector<int>> *bv = 0; Virtual v(3); Derived der;
  std::printf("%d\n", ns::f(1) + ns::f(2.0) + ns::f("x") + ns::tmpl(1) + (int)ns::tmpl(2.5) + b.get() + (int)d.get() + hidden(2) + v.m(1) + v.m(2.0) + f(3) + lambda(4) + ns::Box<int>::constant(2) + (b + 1) + ns::inner::f('c') + pack(1, 'c') + plain_c(1) + unseen(1) + called(unseen, 0, 1) + (int)v + (v == v));
}
