// Constructors that a class takes over from its base.
struct Base {
    int held;
    explicit Base(int number) : held(number) {}
    Base(int first, int second) : held(first + second) {}
};

struct Derived : Base {
    using Base::Base;
    int twice() const { return 2 * held; }
};

int stop(int number) {
    return number; /* BREAK stopped */
}

int main() {
    Derived one(1), both(1, 2);
    return stop(one.twice() + both.twice()) - 8;
}
