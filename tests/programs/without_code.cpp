/* A class with a method that the compiler has made no code for, and one that it has. */
struct Shape {
    int sides;
    int area(int factor) const { return factor * sides; }
    int scaled(int factor) { return factor + sides; }
};

Shape shape = {3};

int main()
{
    return shape.scaled(2) == 5 ? 0 : 1;
}
