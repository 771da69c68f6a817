// A class within a function, what a constructor keeps between calls, containers by names that users know.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Key {
    int number;
    bool operator<(const Key &other) const { return number < other.number; }
};

class Shelf {
public:
    typedef std::map<Key, std::string> Books;
    Shelf(int count, bool named) : count_(count) {
        if (named) {
            static const char title[] = "shelf";
            books_[Key{count}] = title;
        }
    }
    std::vector<const Key *> keys() const;

private:
    int count_;
    Books books_;
};

std::vector<const Key *> Shelf::keys() const {
    std::vector<const Key *> keys;
    for (const auto &book : books_)
        keys.push_back(&book.first);
    return keys;
}

template <typename T> T twice(T value) {
    struct Guard {
        T *kept;
        explicit Guard(T *what) : kept(what) { *kept += 1; }
        ~Guard() { *kept -= 1; }
    };
    Guard guard(&value);
    T doubled = *guard.kept * 2;
    return doubled;
}

int main() {
    Shelf shelf(3, true), empty(0, false);
    std::vector<const Key *> keys = shelf.keys();
    std::printf("%d %zu %zu\n", twice(20), keys.size(), empty.keys().size());
    return 0;
}
