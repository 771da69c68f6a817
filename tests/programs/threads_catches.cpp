// Eight threads that do one thing over and over that can be caught: WAY ROUNDS LIBRARY, of which each has a copy LIBRARYn.
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<long> total;

static void once(const std::string &way, const std::string &library)
{
    if (way == "throw") {
        try {
            throw 1;
        } catch (int one) {
            total += one;
        }
    } else if (way == "load") {
        void *loaded = dlopen(library.c_str(), RTLD_NOW);
        total += loaded != nullptr;
        dlclose(loaded);
    } else {
        pid_t child = way == "fork" ? fork() : vfork();
        if (child == 0)
            _exit(0);
        total += waitpid(child, nullptr, 0) == child;
    }
}

int main(int, char **words)
{
    std::string way = words[1], library = words[3];
    long rounds = std::atol(words[2]);
    std::vector<std::thread> all;
    for (int number = 0; number < 8; number++)
        all.emplace_back([=] {
            for (long i = 0; i < rounds; i++)
                once(way, library + std::to_string(number));
        });
    for (std::thread &one : all)
        one.join();
    return total == 8 * rounds ? 3 : 4;
}
