// Functions with arguments of every sort, and with some that differ between the ranks.
#include <cstdlib>
#include <string>
#include <vector>

struct pair {
    int a;
    double b;
};

union word {
    int i;
    float f;
};

enum colour { RED, GREEN = 5 };

int numbers[3] = {1, 2, 3};
pair global = {4, 0.5};
std::string text = "hello";
std::vector<int> many = {7, 8, 9};

static inline __attribute__((always_inline)) int twice(int v)
{
    int w = v * 2; // inlined
    return w + numbers[0];
}

int innermost(int n, double x, bool flag, char letter, colour c, const char *name, int *p, pair s, pair &r, int &i)
{
    return twice(n) + (flag ? 1 : 0) + letter + c + name[0] + *p + s.a + r.a + i + static_cast<int>(x); // stop here
}

int no_arguments()
{
    return innermost(-3, 2.5, true, 'q', GREEN, "word", numbers, global, global, numbers[1]);
}

int containers(std::string s, const std::vector<int> &v, union word w, int (&three)[3], int (*f)())
{
    return f() + static_cast<int>(s.size() + v.size()) + w.i + three[0];
}

int different(int rank, double half, int *where, const char *same, short level)
{
    union word w = {7};
    return containers(text, many, w, numbers, no_arguments) + rank + static_cast<int>(half) + *where + same[0] + level;
}

int main()
{
    const char *given = std::getenv("RANKSCOPE_RANK");
    int rank = given ? std::atoi(given) : 0;
    return different(rank, rank / 2.0, &numbers[rank % 3], "same", 9) == 0;
}
