// Classes with everything that a class can declare.
#include <cstdio>
#include <string>
#include <vector>
namespace declared {
class Empty {};
struct Plain { int x; float y; };
struct WithMethods { int x; int get() const { return x; } void set(int v) { x = v; } };
class AllPrivate { int x; int y; };
class Guarded {
public:
    int open;
    Guarded();
    explicit Guarded(int v) : open(v), kept(1), narrow(2) {}
    Guarded(const Guarded &) = default;
    Guarded(Guarded &&) = delete;
    Guarded &operator=(const Guarded &) = delete;
    virtual ~Guarded() noexcept;
    virtual void pure() = 0;
    virtual int over(int, char) const volatile { return 1; }
    static int first(const char *s) { return s[0]; }
    static int shared;
    static const int four = 4;
    operator int() const { return open; }
    operator const char *() const { return "x"; }
    bool operator==(const Guarded &o) const { return open == o.open; }
    int operator()(int x) { return x; }
    int operator[](int x) & { return x; }
    void *operator new(size_t n);
    template <typename T> T same(T v) { return v; }
    void usual(int a, int b = 4) {}
    void pointers(int (*f)(int, char), int (&array)[3]) {}
    void variadic(const char *, ...) {}
protected:
    int kept;
    void hidden();
private:
    int narrow : 5;
    int narrower : 3;
    mutable int changed;
    enum Mode { OFF, ON } mode;
    struct Nested { int n; struct Deep { int d; } deep; };
    Nested nested;
    struct { int left; int right; } both;
    union { int whole; float real; };
    friend class Plain;
};
int Guarded::shared = 3;
Guarded::Guarded() {}
Guarded::~Guarded() noexcept {}
void Guarded::hidden() {}
void *Guarded::operator new(size_t n) { return ::operator new(n); }
class Implementation : public Guarded { public: Implementation() : Guarded(3) {} void pure() override {} private: int q; };
class Mixed : private Plain, protected virtual WithMethods { int z; };
struct Virtual : virtual Plain, WithMethods { int z; };
struct OnlyPrivate { private: int x; public: int y; };
struct EndsProtected { int x; protected: int y; };
class PublicMethod { public: void f() {} };
class PrivateMethod { void f() {} };
union Either { int a; float b; int get() { return a; } };
template <typename... Ts> struct Pack { int n; };
template <typename T> class Box { T v; public: Box(T x) : v(x) {} T operator*() { return v; } };
template <typename T> struct Holder {
    const T fixed; T *p; T **pp; const T *cp; T a[2]; Box<T> box; Box<T> *boxes; std::vector<T> list; T &r; int i; double d;
    T m(const T &x, T *y, const Box<T> &z) { return *y; }
    void n(T, const T, ...) const {}
    const T *get() const { return p; }
};
template <typename T, int N = 3> struct Row { T items[N]; };
int global;
template <int *P, bool B, char C> struct Values { int v; };
class Types {
public:
    typedef int number;
    using str = std::string;
    typedef std::vector<number> list;
    typedef struct { int q; } unnamed;
    typedef int *pointer;
    number n; int m; str s; std::string s2; list v; std::vector<int> w; unnamed u; pointer p; int *r; const int fixed = 3;
    int f(int x, pointer y) { return x; }
private:
    typedef float real;
    real a;
protected:
    typedef void (*function)(int);
    function call;
};
class Derived : public Types { int more; float real; void (*second)(int); };
struct Base { virtual ~Base() {} virtual int g() = 0; };
struct WithTable : virtual Base { WithTable(int x); int g() override { return 1; } static void s(); int v; };
WithTable::WithTable(int x) { v = x; }
struct Usual { Usual() = default; Usual(const Usual &) = default; virtual ~Usual() = default; int x; void gone() = delete; };
struct Caller { typedef long whole; whole operator()(whole a) { return a; } };
struct Operators {
    int x;
    Operators operator+(const Operators &o) const { return o; }
    Operators &operator++() { return *this; }
    Operators operator++(int) { return *this; }
    operator bool() const { return true; }
    operator std::string() const { return ""; }
    template <typename T> operator T *() { return 0; }
    Operators *operator->() { return this; }
    void operator delete(void *p) {}
    void operator,(int) {}
};
struct Qualified { int x; void a() & {} void b() && {} void c() const & {} };
typedef struct { int a; int b; } Nameless;
typedef struct Tag { int a; } Tagged;
struct Unnamed { struct { int a; struct { int b; } c; } d; union { int u; struct { int v; }; } w; };
}
using namespace declared;
int main() {
    int x = 3;
    char *text = 0;
    Empty empty; Plain plain; WithMethods with; AllPrivate all; Implementation implementation; Guarded *guarded = &implementation;
    Mixed mixed; Virtual virtuals; OnlyPrivate only_private; EndsProtected ends_protected; PublicMethod public_method;
    PrivateMethod private_method; Either either; Pack<int, char, Plain> pack; Row<double> row;
    Holder<int> numbers{1, &x, 0, 0, {1, 2}, Box<int>(3), 0, {}, x};
    numbers.m(1, &x, Box<int>(2)); numbers.n(1, 2); numbers.get();
    Holder<char *> texts{text, &text, 0, 0, {0, 0}, Box<char *>(text), 0, {}, text};
    Box<Box<int>> nested(Box<int>(1)); Values<&global, true, 'c'> values;
    Types types; Derived *derived = 0; WithTable with_table(3); Usual usual; Caller caller; Operators operators; Qualified qualified;
    Nameless nameless; Tagged tagged; Unnamed unnamed;
    auto lambda = [](int x) { return x; };
    auto capturing = [&x, types](int y) { return x + y + (int)types.v.size(); };
    struct Local { int q; int s() { return 1; } } local, locals[3];
    Box<std::string> boxed("a"); const Holder<int> &reference = numbers;
    types.f(1, 0); caller(3); ++operators; operators++; (void)(bool)operators; int *converted = operators; qualified.a();
    guarded->same(3); guarded->same(3.5); public_method.f(); with.set(3); either.get();
    std::printf("%d\n", lambda(3) + capturing(2) + local.s() + types.u.q); /* stop */
}
