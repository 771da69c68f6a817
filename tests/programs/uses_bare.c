/* Declares nothing of what it is linked with but a function. */
extern int bare_twice(int n);
struct opaque;
struct cell {
    int id;
    double weight;
    struct opaque *owner;
};
static int sum_of(struct cell *cell, int n, double x)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += cell->id + i; /* stop */
    return sum + (int)x;
}
int main(void)
{
    struct cell cell = {1, 2.5, 0};
    return sum_of(&cell, bare_twice(2), 1.5) == 0;
}
