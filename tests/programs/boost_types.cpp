// Containers of Boost, whose headers are enough.
#include <boost/circular_buffer.hpp>
#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <boost/container/vector.hpp>
#include <boost/multi_array.hpp>
#include <boost/optional.hpp>
#include <string>

struct Point {
    int x;
    double y;
};

int main() {
    boost::container::static_vector<int, 8> fixed{1, 2, 3};
    boost::container::small_vector<double, 4> small{0.5, 1.5}, spilled{1, 2, 3, 4, 5};
    boost::container::vector<Point> points{{1, 2}, {3, 4}};
    boost::container::flat_map<int, std::string> names;
    names[2] = "two";
    names[1] = "one";
    boost::container::flat_set<int> numbers{3, 1, 2};
    boost::optional<int> maybe = 5, nothing;
    boost::optional<std::string> word = std::string("abc"), noword;
    boost::circular_buffer<int> last(3);
    for (int n = 1; n <= 5; n++)
        last.push_back(n);
    boost::multi_array<int, 1> line(boost::extents[3]);
    boost::multi_array<double, 2> grid(boost::extents[2][3]);
    boost::multi_array<int, 3> cube(boost::extents[2][2][2]);
    for (int n = 0; n < 8; n++)
        cube.data()[n] = n;
    for (int n = 0; n < 3; n++)
        line[n] = n, grid[0][n] = n, grid[1][n] = 10 + n;
    return fixed[0] + small.size() + points.size() + numbers.size() + last[0]; // stop here
}
