// Of the code that two files have the linker keeps that of the first, which is not that of `main`.
#include "kept.hpp"

int other() {
    Box<char> box('b');
    return box.put(1);
}
