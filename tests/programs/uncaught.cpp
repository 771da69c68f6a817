/* Ends by std::terminate in the way that is named, on the ranks above 0, or on all if EVERY_RANK is set. */
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace mesh
{
struct Broken : std::runtime_error {
    using runtime_error::runtime_error;
};

struct Own : std::exception {
    const char *what() const noexcept override { return "own words"; }
};

struct Holder {
    std::string name = "holder";
    ~Holder() noexcept { name.clear(); }
};

struct Shape {
    Shape() { measure(); }
    void measure() { area(); }
    virtual double area() = 0;
};

struct Square : Shape {
    double area() override { return 1; }
};

struct Leaving {
    ~Leaving() { throw Broken("in a destructor"); }
};
} // namespace mesh

static void refine(int depth)
{
    mesh::Holder holder;
    if (depth > 0)
        refine(depth - 1);
    throw mesh::Broken("cell 7 is\nbad"); /* BREAK broken */
}

static void never(int depth) noexcept
{
    refine(depth);
}

static void fail(const char *how)
{
    if (std::strcmp(how, "derived") == 0)
        refine(2);
    if (std::strcmp(how, "noexcept") == 0)
        never(2);
    if (std::strcmp(how, "logic") == 0)
        throw std::out_of_range("index 9"); /* BREAK logic */
    if (std::strcmp(how, "own") == 0)
        throw mesh::Own();
    if (std::strcmp(how, "text") == 0)
        throw "plain words";
    if (std::strcmp(how, "number") == 0)
        throw 42;
    if (std::strcmp(how, "string") == 0)
        throw std::string("a long text that is not kept in the string itself");
    if (std::strcmp(how, "memory") == 0)
        throw std::bad_alloc();
    if (std::strcmp(how, "again") == 0) {
        std::exception_ptr kept;
        try {
            throw std::runtime_error("kept for later");
        } catch (...) {
            kept = std::current_exception();
        }
        std::rethrow_exception(kept);
    }
    if (std::strcmp(how, "none") == 0)
        std::terminate();
    if (std::strcmp(how, "joinable") == 0)
        std::thread([] {});
    if (std::strcmp(how, "pure") == 0)
        mesh::Square();
    if (std::strcmp(how, "destructor") == 0)
        mesh::Leaving();
    if (std::strcmp(how, "handled") == 0) {
        try {
            throw std::logic_error("not so bad");
        } catch (const std::exception &) {
            std::terminate();
        }
    }
    if (std::strcmp(how, "thread") == 0)
        std::thread([] { throw std::runtime_error("in a thread"); }).join();
}

int main(int argc, char **argv)
{
    const char *rank = std::getenv("RANKSCOPE_RANK");
    if (rank && std::strcmp(rank, "0") == 0 && !std::getenv("EVERY_RANK"))
        return 0;
    if (argc > 1)
        fail(argv[1]);
    return 0;
}
