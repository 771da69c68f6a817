// Containers of LLVM's C++ library.
#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

struct Point {
    int x;
    double y;
};

int main() {
    std::string brief = "short", empty, text = "a text that is too long for the object itself";
    std::string_view view = "abc";
    std::vector<int> numbers{1, 2, 3}, none;
    std::vector<bool> flags{true, false, true};
    std::vector<std::string> words{"one", "two"};
    std::vector<Point> points{{1, 2.5}, {3, 4.5}};
    std::map<int, std::string> ages{{3, "three"}, {1, "one"}, {2, "two"}};
    std::map<char, short> tight{{'b', 2}, {'a', 1}};
    std::multimap<int, int> many{{1, 2}, {1, 3}};
    std::set<int> some{5, 4, 6};
    std::set<std::string> names{"b", "a"};
    std::unordered_map<int, double> weights{{7, 0.5}};
    std::unordered_set<int> seen{9};
    std::list<int> chain{1, 2, 3}, nolist;
    std::forward_list<double> forward{0.5, 1.5};
    std::deque<int> queue;
    for (int n = 0; n < 3000; n++)
        queue.push_back(n);
    queue.pop_front();
    std::array<int, 3> fixed{7, 8, 9};
    std::pair<int, double> both{1, 2.5};
    std::tuple<int, char, double> three{1, 'c', 2.5};
    std::optional<int> maybe = 5, nothing;
    std::unique_ptr<int> owner(new int(42));
    std::shared_ptr<Point> shared = std::make_shared<Point>(Point{1, 2}), other = shared;
    std::weak_ptr<Point> weak = shared;
    std::shared_ptr<int> unset;
    std::map<int, int> large;
    for (int n = 0; n < 1000; n++)
        large[n] = n * n;
    return numbers.size() + view.size() + fixed[0] + *maybe; // stop here
}
