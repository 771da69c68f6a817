// What the standard library holds things in.
#include <array>
#include <deque>
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
#include <variant>
#include <vector>

struct Point {
    int x;
    std::string name;
};

std::string text = "some text", empty, lengthy(300, 'x');
std::wstring wide = L"wide";
std::string_view view = "a view";
std::vector<int> numbers = {1, 2, 3}, nothing;
std::vector<bool> flags = {true, false, true};
std::vector<std::string> words = {"one", "two"};
std::vector<std::vector<double>> rows = {{1.5, 2.5}, {}};
std::vector<Point> points = {{1, "a"}, {2, "b"}};
std::vector<char> letters(250, 'z');
std::array<int, 3> fixed = {7, 8, 9};
std::map<std::string, int> ages = {{"ann", 31}, {"bob", 25}, {"cy", 4}};
std::map<int, Point> by_number = {{1, {3, "c"}}};
std::multimap<char, short> many = {{'a', 1}, {'a', 2}};
std::set<int> some = {5, 3, 9};
std::unordered_map<std::string, double> weights = {{"kg", 1.0}};
std::unordered_set<long> seen = {42};
std::deque<int> queue(300, 6);
std::deque<std::string> lines = {"first", "second"};
std::list<int> chain = {4, 5, 6};
std::pair<int, std::string> both = {1, "two"};
std::tuple<int, std::string, double> three = {1, "two", 3.0};
std::optional<int> maybe = 5, never;
std::optional<std::string> word = "set";
std::variant<int, std::string, double> either = std::string("chosen"), number = 2.5;
std::unique_ptr<int> owner = std::make_unique<int>(11), lost;
std::shared_ptr<Point> shared = std::make_shared<Point>(Point{8, "s"}), other = shared;
std::weak_ptr<Point> weak = shared;

int use(const std::vector<int> &numbers, const std::map<std::string, int> &ages, std::string &text) {
    text += "!";
    return static_cast<int>(numbers.size() + ages.size());
}

int main() {
    auto where = numbers.begin();
    std::string own = "mine";
    std::optional<std::vector<int>> several = numbers;
    int result = use(numbers, ages, text);
    other.reset();
    shared.reset();
    numbers.push_back(result);
    lines.pop_front();
    return result == 6 && own.size() == 4 && several && *where > 0 ? 0 : 1;
}
