// Containers of the standard library whose methods are inlined everywhere (compiled with -O1).
#include <bitset>
#include <cstdio>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct Point {
    int x, y;
};

std::string text = "abc", empty, lengthy(40, 'x');
std::wstring wide = L"wide";
std::string_view view = "a view";
std::vector<bool> flags = {true, false, true};
std::vector<int> numbers = {1, 2, 3};
std::map<std::string, int> ages = {{"ann", 31}, {"bob", 25}, {"cy", 4}};
std::map<int, Point> by_number = {{1, {3, 4}}, {7, {5, 6}}};
std::multimap<char, short> many = {{'a', 1}, {'a', 2}, {'b', 3}};
std::set<double> some = {5.5, 3, 9};
std::unordered_map<std::string, double> weights = {{"kg", 1.0}, {"t", 1000.0}};
std::optional<int> maybe = 5, never;
std::optional<Point> place = Point{1, 2};
std::unique_ptr<Point> owner(new Point{8, 9}), lost;
std::shared_ptr<Point> shared = std::make_shared<Point>(Point{10, 11}), other = shared;
std::weak_ptr<Point> weak = shared;
std::list<int> chain = {4};
std::stack<int> pile;
std::queue<int> line;
std::priority_queue<int> urgent;
std::map<std::string, int>::iterator at_age;
std::unordered_map<std::string, double>::iterator at_weight;
std::vector<int>::iterator at_number;

// Memory in which no container was constructed.
long garbage[24] = {1, 0x100, 0x100, 1, 0x200, 0x300, 1, 0x100, 0x100};

std::vector<int> *no_vector = reinterpret_cast<std::vector<int> *>(garbage);
std::unordered_map<std::string, double> *no_weights = reinterpret_cast<decltype(no_weights)>(garbage);
std::list<int> *no_list = reinterpret_cast<std::list<int> *>(garbage);

int main() {
    for (int i = 1; i < 4; i++) {
        pile.push(i);
        line.push(i);
        urgent.push(i);
    }
    at_age = ages.find("bob");
    at_weight = weights.find("kg");
    at_number = numbers.begin() + 1;
    std::puts(text.c_str()); // BREAK here
    return 0;
}
