// References, members shared by all, inheritance in every way, pointers to members.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

namespace {
int hidden = 4;
}

namespace outer::inner {
enum class level : short { low = -1, high = 7 };
struct plain {
    int n;
    static const int limit = 9;
    static plain first;
};
plain plain::first = {1};
}

struct left {
    virtual ~left() = default;
    virtual int turn() { return 1; }
    int l = 1;
};
struct right {
    virtual ~right() = default;
    int r = 2;
};
struct top : virtual left {
    int t = 3;
};
struct both : top, right {
    int turn() override { return b; }
    int b = 4;
    std::string name = "both";
    outer::inner::level how = outer::inner::level::high;
};
struct empty {};
struct only : empty {};
template <typename T, int N> struct pack {
    T held[N];
    const T &first() const { return held[0]; }
};
union choice {
    int whole;
    float part;
    std::string *text;
};
class closed {
    int secret = 5;

  public:
    const char *shown = "shown";
    int look() const { return secret; }
};

using outer::inner::level;
using outer::inner::plain;

static int use(left &base, const both &derived, plain &&moved, int (&array)[3], const std::string &text, both *pointer)
{
    int plain::*member = &plain::n;
    int (left::*method)() = &left::turn;
    auto closure = [&base, n = 3](int more) { return base.l + n + more; };
    const int &reference = array[1];
    int result = closure(moved.*member) + (base.*method)() + reference + derived.b + (int)text.size();
    return result + pointer->r + hidden; // used
}

int main()
{
    both object;
    left &base = object;
    pack<std::string, 2> strings = {{"a", "b"}};
    pack<pack<int, 2>, 2> nested = {{{{1, 2}}, {{3, 4}}}};
    choice either;
    either.part = 1.5f;
    closed box;
    only alone;
    std::vector<both *> many = {&object, nullptr};
    int array[3] = {7, 8, 9};
    char16_t wide = u'w';
    bool sure = true;
    level deep = level::low;
    std::initializer_list<int> list = {1, 2};
    int sum = use(object, object, plain{6}, array, object.name, &object);
    sum += nested.held[1].first() + (int)strings.first().size() + box.look() + (int)many.size() + (int)list.size();
    std::printf("%d %d %d %p\n", sum, sure, (int)deep, (void *)&alone);
    return wide == u'w' && base.l == 1 && either.part > 1 ? 0 : 1;
}
