struct big { long words[40]; double scale; };
typedef int (*choice)(int);
volatile int sink;
static int half(int n)
{
    return n / 2;
}
static int twice(int n)
{
    int result = n;
    result += n;
    return result;
}
static int depth(int n)
{
    if (n <= 0)
        return half(9);
    int below = depth(n - 1);
    return below + 1;
}
static double fill(struct big *b, int n)
{
    for (int i = 0; i < 40; i++) b->words[i] = i * n;
    b->scale = n > 2 ? 0.5 : 2.0;
    struct big copy = *b;
    copy.words[3] += 7;
    return copy.scale * copy.words[3];
}
int main(void)
{
    choice choices[2] = {half, twice};
    struct big b = {{1, 2, 3}, 4.5};
    int total = 0;
    for (int i = 0; i < 4; i++) {
        total += choices[i % 2](i + 3);
        switch (i) {
        case 1: total ^= 5; break;
        case 2: total = total * 3 - depth(2); break;
        default: total++;
        }
    }
    sink = total + (int)fill(&b, total);
    while (total-- > 0 && sink) sink--;
    return 0;
}
