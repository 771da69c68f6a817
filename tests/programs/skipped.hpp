// Small functions that one does not want to step into.
#pragma once

namespace tools {
struct Box {
    int content;
    int get() const { return content; }
    int set(int value) {
        content = value;
        return content;
    }
};
inline int twice(int n) { return n + n; }
inline int twice(double x) { return static_cast<int>(x + x); }
} // namespace tools
