#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
struct Point { double x, y; };
template <> struct fmt::formatter<Point> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <typename Context> auto format(const Point& point, Context& context) const {
    return fmt::format_to(context.out(), "({:.1f}, {:.1f})", point.x, point.y);
  }
};
int main() {
  std::string text = fmt::format("{} {:>8} {:#x} {:e} {:+.3f}", 42, "right", 255, 12345.678, -0.5);
  text += fmt::format("{0} {1} {0}", Point{1.5, 2}, true ? 'c' : 'd');
  std::map<std::string, std::vector<int>> held = {{"a", {1, 2}}, {"b", {}}};
  text += fmt::format("{} {:02}", held, fmt::join(std::vector<int>{1, 2, 3}, "-"));
  fmt::memory_buffer buffer;
  fmt::format_to(std::back_inserter(buffer), "{:%H:%M:%S} {:g}", std::chrono::seconds(3723), 1e-300);
  std::string why;
  try { text += fmt::format(fmt::runtime("{:d}"), "no number"); } catch (const fmt::format_error& error) { why = error.what(); }
  std::printf("%zu %zu %s\n", text.size(), buffer.size(), why.c_str());
  return 0;
}
