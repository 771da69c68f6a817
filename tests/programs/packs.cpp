// Arguments that all have one name.
#include <cstdio>

template <typename... Some> int count(const char *what, Some... some) {
    int number = sizeof...(some);
    std::printf("%s of %d", what, number);
    ((std::printf(" %d", static_cast<int>(some))), ...);
    return std::printf("\n");
}

template <typename... Some> int forward(Some &&...some) {
    int written = count("forwarded", some...);
    return written + static_cast<int>(sizeof...(some));
}

int main() {
    int sum = count("numbers", 1, 2.5, 'c', 4L);
    sum += count("one", 7);
    sum += forward(sum, 3.5);
    return sum == 0;
}
