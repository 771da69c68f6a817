// Types with holes, for ptype/o.

namespace shapes {
struct Base {
  virtual ~Base() {}
  int id;
  static int count;
};
int Base::count = 3;

class Circle : public Base {
public:
  double radius;
  bool filled : 1;

private:
  unsigned kind : 4;

public:
  double area() const { return radius * radius * 3 + kind; }
  typedef int number;
  number n;
};

template <typename T> struct Box {
  T value;
  char tag;
};
} // namespace shapes

union Any {
  int whole;
  struct {
    char first;
    double second;
  } pair;
  shapes::Box<int> box;
  char text[3];
};

struct Nested {
  struct Inner {
    int x;
    struct {
      char c;
      short s;
    } deep;
  } inner;
  int &reference;
  shapes::Box<char> *box;
  int (*function)(int);
  shapes::Box<short> both[2];
  static const int limit = 4;
  long last : 40;
};

struct Empty {};
struct Virtual : virtual shapes::Base {
  int v;
};
struct Packed {
  char c;
  int i;
} __attribute__((packed));
struct Bits {
  unsigned a : 3;
  unsigned : 4;
  unsigned b : 9;
  char c;
};

shapes::Circle circle;
Any any;

int main() {
  int number = 3;
  Nested nested{.reference = number};
  Virtual virtuals;
  Empty empty;
  Packed packed{'a', 1};
  Bits bits{1, 2, 'b'};
  shapes::Box<int> box{1, 'a'};
  nested.inner.x = packed.i + bits.b + box.value;
  number = static_cast<int>(circle.area()); /* BREAK laid out */
  return nested.inner.x + virtuals.v + number + static_cast<int>(sizeof empty) + any.whole;
}
