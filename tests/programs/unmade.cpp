// Maps that nobody has constructed.
#include <cstring>
#include <map>
#include <set>
#include <string>

using Ages = std::map<std::string, int>;
using Names = std::set<std::string>;

static int use(const Ages *ages, const Names *names, const Ages *none) {
    return ages != nullptr && names != nullptr && none != nullptr;
}

int main() {
    alignas(Ages) char ages[sizeof(Ages)];
    alignas(Names) char names[sizeof(Names)];
    std::memset(ages, 0x11, sizeof ages);
    std::memset(names, 0x22, sizeof names);
    Ages none{{"a", 1}};
    Names one{"b"};
    return use(reinterpret_cast<Ages *>(ages), reinterpret_cast<Names *>(names), &none) - static_cast<int>(one.size());
}
