#include <cstdio>
#include <string>
#include <vector>
namespace shapes {
struct Named { int id = 7; virtual ~Named() {} };
struct Left : virtual Named { int left = 1; };
struct Right : virtual public Named { int right = 2; };
class Both : public Left, protected Right {
public:
    Both(int a) : own(a) {}
    int sum() const { return own + left + right + id; }
    int sum(int more) { return sum() + more; /* inside */ }
    static int count;
    virtual void shift(double by) { own += (int)by; }
    int &ref() { return own; }
    template <typename T> T as() const { return (T)own; }
    bool operator==(const Both &o) const { return own == o.own; }
    int operator+(int n) const { return own + n; }
private:
    int own;
    enum Mode { OFF, ON } mode = ON;
    typedef int number;
    friend struct Helper;
};
int Both::count = 3;
template <typename T, int N> struct Buffer { T items[N]; int size() const { return N; } T &operator[](int i) { return items[i]; } };
struct Base { int b = 5; virtual int area() { return b; } virtual ~Base() {} };
struct Derived : Base { int d = 6; int area() override { return d * 2; } };
int overloaded(int x) { return x + 1; }
double overloaded(double x) { return x / 2; }
int overloaded(const char *s) { return s[0]; }
int by_reference(const int &x, int &y) { y = x; return x * 2; }
}
using namespace shapes;
int use(Base *base, Base &other, Both &both) {
    std::vector<int> numbers{1, 2, 3};
    std::string text = "hello";
    Buffer<double, 3> buffer{{1.5, 2.5, 3.5}};
    Both *pointer = &both;
    Named *named = pointer;
    int changed = 0;
    Both several[2] = {Both(1), Both(2)};
    return base->area() + other.area() + both.sum(4) + numbers[1] + (int)text.size() + buffer.size() + named->id + overloaded(1) + (int)overloaded(2.0) + overloaded("a") + by_reference(3, changed) + (int)buffer[1] + both.as<int>() + (both == both) + (both + 1) + both.ref(); /* stop */
}
int main() { Derived d; Derived e; Both both(40); both.shift(1); std::printf("%d\n", use(&d, e, both)); return Both::count; }
