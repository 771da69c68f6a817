// Names in namespaces and classes, overloads and templates.
#include <vector>
#include <string>
#include <cstdio>
namespace ns {
struct base { int b = 3; virtual ~base() {} virtual int f(int x) { return x + b; } };
struct derived : base { double d = 2.5; int f(int x) override { return x * 2 + b; } static int count; };
int derived::count = 4;
template <typename T> T add(T a, T b) { T c = a + b; return c; }
}
enum class mode : unsigned char { off, on = 4 };
int use(ns::base &r, mode m, const std::string &s) { int local = r.f(5); return local + (int)m + (int)s.size(); }
int main() { ns::derived d; std::vector<int> v{1,2,3}; std::string s = "abc"; int n = use(d, mode::on, s); n += ns::add<int>(n, v[1]); n += ns::add<double>(1.5, 2); printf("%d\n", n); return 0; }
