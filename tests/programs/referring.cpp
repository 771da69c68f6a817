/* Members that are references, lambdas, pointers to virtual methods, and objects that convert to numbers. */
#include <optional>
#include <string>
#include <vector>

struct Plain {
    int first = 1;
    double second = 2.5;
};

struct Base {
    virtual ~Base() {}
    virtual int none() { return 1; }
    virtual int several(int n, const char *text) const { return n + text[0]; }
    virtual void with_library(const std::string &name, std::vector<int> values, unsigned flags) {}
    virtual int any_number(int n, ...) { return n; }
};

struct Derived : Base {
    int own = 4;
    virtual long added(long n) { return n; }
};

struct Holder {
    int &number;
    const std::vector<double> &values;
    std::string &text;
    Plain &plain;
    const std::optional<int> &perhaps;
    std::vector<double> &&moved;
    int last;
};

struct Outer {
    Holder held;
    int after;
};

struct Itself {
    Itself &me;
    std::vector<Itself *> &others;
    int size;
};

struct Convertible {
    int value;
    int padding;
    operator int() const { return value; }
    operator double() const { return value; }
};

enum Colour { RED = 1, GREEN = 42 };

template <class T> T twice(T t) {
    auto add = [t](T u) { return t + u; /* in a template */ };
    return add(t);
}

namespace model {
namespace inner {
int depth = 1;
}
struct Field {
    int n;
    int grow(int by) {
        auto more = [this, by](int q) {
            n += by + q; /* in a method */
            return n;
        };
        return more(1);
    }
};
}

int main() {
    int number = 3;
    std::vector<double> values{1, 2, 3};
    std::string text = "abc";
    Plain plain;
    std::optional<int> perhaps = 5;
    Holder holder{number, values, text, plain, perhaps, std::move(values), 7};
    Outer outer{holder.number, holder.values, text, plain, perhaps, std::move(values), 8, 9};
    Holder &referred = holder;
    Holder both[2] = {{number, values, text, plain, perhaps, std::move(values), 1},
                      {number, values, text, plain, perhaps, std::move(values), 2}};
    std::vector<Itself *> others;
    Itself itself{itself, others, 1};
    others.push_back(&itself);

    int (Base::*none)() = &Base::none;
    int (Base::*several)(int, const char *) const = &Base::several;
    void (Base::*with_library)(const std::string &, std::vector<int>, unsigned) = &Base::with_library;
    int (Base::*any_number)(int, ...) = &Base::any_number;
    long (Derived::*added)(long) = &Derived::added;
    int (Derived::*inherited)() = &Derived::none;
    Convertible convertible{42, 7};
    Derived derived;

    auto captured = [&number, text, derived](int a) {
        return a + number + (int)text.size() + derived.own; /* in a lambda */
    };
    auto generic = [](auto a, auto b) {
        return a + b; /* in a generic lambda */
    };
    int sum = captured(2) + generic(1, 2) + (int)generic(1.5, 2.5);
    model::Field field{2};
    sum += twice(3) + field.grow(3) + int(convertible); /* stop */
    return sum == 0 || !none || !several || !with_library || !any_number || !added || !inherited || !outer.after ||
           !referred.last || !both[1].last;
}
