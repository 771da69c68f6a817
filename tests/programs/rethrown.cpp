// An exception that is thrown again, and a library that is loaded and unloaded.
#include <dlfcn.h>

static int given_up(int n) {
    try {
        throw n;
    } catch (int) {
        throw;
    }
}

int main(int argc, char **argv) {
    int sum = argc;
    for (int i = 0; i < 2; i++) {
        try {
            sum += given_up(i);
        } catch (int n) {
            sum += n;
        }
    }
    for (int i = 0; i < 2; i++) {
        dlclose(dlopen(argv[1], RTLD_NOW));
    }
    return sum;
}
