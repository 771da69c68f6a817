/* Values that change, stay, are read, and end with their function. */
struct cell { int before; int content; };
int global = 1;
struct cell cells[2] = {{1, 10}, {2, 20}};
struct cell *at = &cells[0];
long wide[8];
static int scoped(int n)
{
    int local = n;
    local += 2; /* local changes */
    global = 1; /* not local */
    local *= 3; /* local changes again */
    return local;
}
static int recursive(int n)
{
    int mine = n;
    if (n > 0)
        mine += recursive(n - 1);
    return mine;
}
int main(void)
{
    int sum = 0; /* begin */
    global = 2; /* first */
    global = 2; /* the same */
    global = 3; /* second */
    sum += global;           /* read */
    cells[0].content = 11;   /* behind the pointer */
    at = &cells[1];          /* the pointer itself */
    cells[0].content = 12;   /* not watched any more */
    cells[1].content = 21;   /* behind it again */
    sum += scoped(4);        /* scope */
    sum += recursive(3);
    for (int i = 0; i < 8; i++)
        wide[i] = i + 1;     /* wide */
    return sum & 0x7f;
}
