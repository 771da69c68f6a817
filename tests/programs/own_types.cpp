// Types of a program that has printers of its own: a stack in an array, a ring, a list, a tree, a table of chains, and two
// versions of one type.
#include <cstdint>

template <typename T, int N> struct Stack {
    T items[N];
    int count = 0;
    void push(T item) { items[count++] = item; }
};

template <typename T> struct Buffer {
    T *first = nullptr;
    T *past = nullptr;
};

template <typename T> struct Ring {
    T *cells;
    unsigned capacity, start, length;
};

struct Order {
    int id;
    double price;
    const char *buyer;
    unsigned urgent : 1;
};

struct Link {
    Link *next;
    Order order;
};

struct Queue {
    Link *first = nullptr;
    int length = 0;
};

struct Branch {
    Branch *left, *right;
    int key;
    const char *name;
};

struct Dictionary {
    Branch *root;
};

struct Slot {
    Slot *next;
    const char *word;
    int hits;
};

struct WordTable {
    Slot **slots;
    unsigned size;
};

// The place in the file is a type of its own, so that the debug information names it.
struct Point2 {
    float x, y;
};

namespace old {
struct Shape {
    int version;
    Point2 at;
};
} // namespace old

struct Shape {
    int version, sides;
    Point2 at;
};

struct Name {
    const char *text;
    int length;
};

static Link *linked(Link *next, int id, double price, const char *buyer, unsigned urgent) {
    return new Link{next, {id, price, buyer, urgent}};
}

int main() {
    Stack<int, 8> stack;
    for (int n = 1; n <= 3; n++)
        stack.push(n * n);
    Stack<Point2, 4> points;
    points.push({1, 2});
    double numbers[] = {0.5, 1.5, 2.5};
    Buffer<double> buffer{numbers, numbers + 3};
    Buffer<double> none;
    int cells[] = {30, 40, 10, 20};
    Ring<int> ring{cells, 4, 2, 3};
    Queue queue;
    queue.first = linked(linked(linked(nullptr, 3, 7.25, "Chu", 1), 2, 9, "Bo", 0), 1, 12.5, "Ann", 1);
    queue.length = 3;
    Queue *waiting = &queue;
    Queue loop;
    loop.first = linked(nullptr, 7, 1, "Di", 0);
    loop.first->next = loop.first;
    loop.length = 9;
    Branch low{nullptr, nullptr, 1, "one"}, high{nullptr, nullptr, 9, "nine"}, root{&low, &high, 5, "five"};
    Dictionary dictionary{&root};
    Slot a{nullptr, "apple", 2}, b{&a, "bean", 5}, c{nullptr, "corn", 1};
    Slot *slots[] = {&b, nullptr, &c, nullptr};
    WordTable words{slots, 4};
    old::Shape before{1, {3, 4}};
    Shape now{2, 6, {5, 6}};
    Name name{"Ludwig van Beethoven", 6};
    Stack<Queue, 2> queues;
    queues.push(queue);
    volatile int here = 0; // stop here
    (void)buffer, (void)none, (void)ring, (void)waiting, (void)dictionary, (void)words, (void)before, (void)now, (void)name;
    (void)queues, (void)points;
    return here + stack.count;
}
