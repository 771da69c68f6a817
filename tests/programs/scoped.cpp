/* Enumerators in scopes, and types made from templates. */
#include <cstdint>

enum Plain { low, mid = 5, high };
enum class E { a, b = 7, c };
enum class Small : unsigned char { one = 1, two };
enum class Empty : short {};

namespace ns {
enum class E { low, high = 9 };
enum Loose { first = 3, second };
enum class Signed : signed char { minus = -2, zero = 0 };
namespace deep {
enum class E { x = 1, y };
}
class Holder {
  public:
    enum Kind { round = 11, square };
    enum class Mode { off, on = 4 };
    static constexpr int limit = 32;
    Kind kind = square;
    Mode mode = Mode::on;
    int ask(Mode wanted) const {
        return wanted == mode; /* inside */
    }
};
template <typename T> struct Box {
    T value;
    enum class State { empty, full = 3 };
    State state = State::full;
    int use() const {
        return state == State::full;
    }
};
}

class Class {
  public:
    enum { k = 42, m };
    enum Named { n1 = 50, n2 };
    int field = k;
};

template <typename T> struct Box {
    T value;
    int count = 1;
};
template <typename A, typename B> struct Two {
    A a;
    B b;
};
template <int N, typename T> struct Fixed {
    T values[N];
};
template <typename T> T twice(T x) {
    return x + x;
}

typedef Box<int> IntBox;

int main() {
    ns::E l = ns::E::high;
    E e = E::b;
    Small small = Small::two;
    Empty empty{};
    ns::Loose loose = ns::second;
    ns::Signed sign = ns::Signed::minus;
    ns::deep::E deep = ns::deep::E::y;
    ns::Holder holder;
    Class object;
    Class::Named named = Class::n2;
    Plain plain = high;
    const E &reference = e;
    E many[2] = {E::a, E::c};
    E odd = static_cast<E>(33);

    Box<int> box{4};
    Box<Box<int>> boxes{{5}};
    Box<const char *> text{"words"};
    Two<int, Box<double>> two{1, {2.5}};
    Fixed<3, short> fixed{{1, 2, 3}};
    ns::Box<long> other{8};
    IntBox alias{6};
    void *p = &boxes;
    Box<int> *pointer = &box;
    unsigned char mode = 4;

    return twice(holder.ask(ns::Holder::Mode::on)) + box.count + other.use() + (int)l + (int)e + (int)small + (int)empty +
           (int)loose + (int)sign + (int)deep + (int)named + (int)plain + object.field + (int)reference + (int)many[1] +
           (int)odd + fixed.values[0] + two.a + alias.value + (text.value != nullptr) + (p != nullptr) +
           pointer->value + mode; /* stop */
}
