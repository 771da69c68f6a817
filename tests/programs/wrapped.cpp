/* Values that are wrapped: what the printers of the library say of them differs from release to release. */
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
int main() {
    std::optional<int> number = 5, none;
    std::optional<std::vector<int>> several = std::vector<int>{1, 2};
    std::optional<std::string> text = "abc";
    std::variant<int, double> either = 2.5;
    std::variant<int, std::vector<int>> held = std::vector<int>{3};
    std::tuple<> empty;
    std::tuple<int> one{1};
    std::tuple<int, double, std::string> three{1, 2.5, "x"};
    std::vector<std::tuple<int, int>> pairs{{1, 2}, {3, 4}};
    std::optional<std::tuple<int, char>> nested{{7, 'c'}};
    std::unique_ptr<int> unique(new int(3));
    return *number + std::get<0>(one) + pairs.size() + (none ? 1 : 0) + *unique; /* BREAK stop */
}
