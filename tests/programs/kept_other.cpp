#include "kept.hpp"

template <typename... Some> int last(Some... some) {
    const int numbers[] = {static_cast<int>(some)...};
    return numbers[sizeof...(some) - 1];
}

int main() {
    Box<char> box('a');
    return box.put(2.5) + box.put(3L) + last(1, 2.5, 'c') + other() == 0;
}
