// Overloads that give their frames up for each other at -O2.
volatile int sink = 3;
__attribute__((noinline)) void leaf(char n) {
    sink = n; /* stop */
    sink++;
}
__attribute__((noinline)) void leaf(long n) {
    sink += static_cast<int>(n);
    leaf(static_cast<char>(n * 2));
}
__attribute__((noinline)) int framed(int n) {
    leaf(static_cast<long>(n));
    return sink + n;
}
int main() { return framed(sink) == 0; }
