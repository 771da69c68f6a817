// Iterators and adapters of the standard library, at something and at nothing.
#include <atomic>
#include <bitset>
#include <deque>
#include <forward_list>
#include <initializer_list>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <vector>

static int seen;

template <class... All> void use(const All &...all) { seen += sizeof...(all); }

static void at_something() {
    std::string text = "abc";
    auto letter = text.begin();
    std::map<int, std::string> names{{1, "one"}, {2, "two"}};
    auto name = names.begin();
    std::set<int> few{4, 5};
    auto one = few.cbegin();
    std::list<int> chain{7, 8};
    auto link = chain.begin();
    std::forward_list<std::string> forward{"x"};
    auto first = forward.begin();
    std::deque<int> both{9, 10};
    auto end = both.begin();
    std::vector<bool> bits{true, false};
    auto bit = bits.begin();
    auto reference = bits[1];
    use(letter, name, one, link, first, end, bit, reference);
}

static void at_nothing() {
    std::map<int, int>::iterator node{};
    std::list<int>::const_iterator link{};
    std::forward_list<int>::iterator first{};
    std::deque<int>::iterator end{};
    std::vector<int>::iterator element{};
    use(node, link, first, end, element);
}

static void wrapped() {
    std::stack<int> pile;
    pile.push(3);
    pile.push(4);
    std::queue<std::string> line;
    line.push("first");
    std::priority_queue<int> urgent;
    urgent.push(6);
    std::bitset<5> small(9);
    std::bitset<100> large;
    large[70] = true;
    std::initializer_list<int> list = {1, 2, 3};
    std::atomic<int> count{5};
    std::atomic<bool> ready{true};
    std::atomic<long *> none{nullptr};
    std::ostringstream stream;
    use(pile, line, urgent, small, large, list, count, ready, none, stream);
}

int main() {
    at_something();
    at_nothing();
    wrapped();
    return seen == 23 ? 0 : 1;
}
