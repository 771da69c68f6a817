/* Arrays, containers and texts of more elements than are shown without being asked for. */
#include <bitset>
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct Point {
    int x, y;
};

int numbers[1000];
int few[201];
int repeated[500];
int grid[30][30];
char text[600];
Point points[300];

int main() {
    std::vector<int> vector, exact;
    std::map<int, int> map;
    std::set<int> set;
    std::list<int> list;
    std::deque<int> deque;
    std::vector<bool> bits(300, true);
    std::vector<std::vector<int>> nested(3);
    std::string same(500, 'a');
    std::bitset<300> every;
    every.set();
    std::pair<int, int> two(1, 2);
    std::tuple<int, int, int> three(1, 2, 3);
    for (int i = 0; i < 1000; i++)
        numbers[i] = i;
    for (int i = 0; i < 300; i++) {
        vector.push_back(i);
        map[i] = i * i;
        set.insert(i);
        list.push_back(i);
        deque.push_back(i);
        points[i] = {i, -i};
    }
    for (int i = 0; i < 201; i++) {
        exact.push_back(i);
        few[i] = i;
    }
    for (int i = 0; i < 500; i++)
        repeated[i] = i / 25;
    for (int i = 0; i < 900; i++)
        grid[i / 30][i % 30] = i;
    for (int i = 0; i < 450; i++)
        nested[i / 150].push_back(i);
    for (int i = 0; i < 599; i++)
        text[i] = 'a' + i % 26;
    const char *pointer = text;
    std::string copy = text;
    return vector[3] + (pointer != nullptr) + (int)copy.size(); /* BREAK stop */
}
