// Maps and sets by the types of their keys and by how they compare them. Each value that is called `..._said` is what
// the program itself finds.
#include <cstdint>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <strings.h>
#include <unordered_map>
#include <variant>
#include <vector>

enum class Colour { red = 1, green = 2 };

struct Key {
    int number;
    bool operator<(const Key &other) const { return number < other.number; }
};

struct LastDigit {
    bool operator()(int left, int right) const { return left % 10 < right % 10; }
};

struct IgnoresCase {
    bool operator()(const std::string &left, const std::string &right) const {
        return strcasecmp(left.c_str(), right.c_str()) < 0;
    }
};

struct SameLastDigit {
    bool operator()(int left, int right) const { return left % 10 == right % 10; }
};

struct LastDigitHash {
    std::size_t operator()(int number) const { return number % 10; }
};

struct Throws {
    Throws() = default;
    Throws(const Throws &) { throw 1; }
};

uint8_t one[4] = {0, 1, 2, 3}, two[4] = {0, 9, 9, 9};
char abc[] = "abc", same[] = "abc";
const char *to_same = same;
int thirteen = 13;
unsigned int most = 4294967295U;
unsigned __int128 wide = static_cast<unsigned __int128>(1) << 126;

std::unordered_map<uint8_t *, int> by_place = {{one, 11}, {two, 22}};
std::set<const char *> places = {abc};
std::set<const char *> with_null = {nullptr, abc};
std::map<unsigned int, int> by_unsigned = {{4294967295U, 7}, {1, 2}};
std::map<uint8_t, int> by_byte = {{44, 9}};
std::map<float, int> by_float = {{0.1F, 4}, {-2.5F, 5}};
std::map<double, int> by_double = {{0.1, 4}, {0.0, 6}};
std::map<Colour, int> by_colour = {{Colour::green, 8}};
std::map<Key, int> by_key = {{{1}, 2}};
std::map<int, int, LastDigit> by_digit = {{3, 30}};
std::unordered_map<int, int, LastDigitHash, SameLastDigit> by_hash = {{3, 30}};
std::map<std::string, int, IgnoresCase> ignoring = {{"Key", 5}};
std::map<std::string, int, std::less<>> transparent = {{"Key", 5}, {"other", 6}};
std::map<std::string_view, int> by_view = {{"ab", 1}, {"c", 2}};
std::multimap<int, int> several;
std::map<int, int> numbers, single = {{5, 50}};
std::optional<int> no_number;
std::optional<unsigned char> no_byte;
std::optional<std::string> a_text = "hi";
std::variant<int, double, std::string> either = 2.5;
std::variant<int, Throws> valueless;
std::vector<int> row = {1, 2, 3};
std::string text = "text of more than fifteen characters";
std::wstring broad = L"ab";
std::vector<bool> bits = {true, false, true};
std::deque<int> queue = {1, 2, 3};
std::list<int> chain = {1, 2}, nothing;
std::unique_ptr<int[]> owned(new int[3]{1, 2, 3});
std::unordered_map<std::string, int> by_long_text;

int main() {
    Key key{1};
    for (int i = 0; i < 1000; i++) {
        numbers[2 * i] = i;
        several.insert({i / 10, i});
    }
    for (int i = 0; i < 80; i++) {
        by_long_text[std::string(1000000, static_cast<char>('0' + i))] = i;
    }
    try {
        valueless.emplace<1>(Throws());
    } catch (int) {
    }
    int second_said = by_place[two], first_said = by_place[one];
    std::size_t same_said = places.count(to_same), null_said = with_null.count(abc);
    std::size_t negative_said = by_unsigned.count(-1), float_said = by_float.count(0.1);
    int byte_said = by_byte[300];
    std::size_t key_said = by_key.count(key), digit_said = by_digit.count(thirteen);
    std::size_t hash_said = by_hash.count(thirteen), index_said = either.index(), npos_said = valueless.index();
    std::size_t several_said = several.count(7);
    int at_said = by_digit.at(thirteen) + by_key.at(key);
    int number_said = no_number.value_or(2.5), byte_or_said = no_byte.value_or(300);
    std::size_t length_said = a_text->size();
    std::printf("%zu\n", ignoring.count("KEY")); // BREAK here
    return second_said + first_said + byte_said + at_said + number_said + byte_or_said +
           static_cast<int>(same_said + null_said + negative_said + float_said + key_said + digit_said + hash_said +
                            index_said + npos_said + several_said + length_said);
}
