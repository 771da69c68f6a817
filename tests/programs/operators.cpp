// Operators that are templates, and arrays among the arguments of templates.

struct Sorter {
    template <typename T> bool operator()(T left, T right) const { return left < right; }
    template <typename T> int operator[](const T &value) const { return static_cast<int>(sizeof(value)); }
    template <typename T> T *append(T *value) { return value; }
    operator const char *() const { return "sorter"; }
};

template <typename... Some> struct Several {
    int count() const { return sizeof...(Some); }
};

int use(Sorter &sorter, Several<int, char[6], const char (&)[3]> &several, Several<int[2][3], const int *> &pair) {
    return sorter.operator()<const char *>("a", "b") + sorter[1UL] + several.count() + pair.count();
}

int main() {
    Sorter sorter;
    Several<int, char[6], const char (&)[3]> several;
    Several<int[2][3], const int *> pair;
    const int one = 1;
    return use(sorter, several, pair) + sorter(1LL, 2LL) + *sorter.append(&one) + *sorter == 0;
}
