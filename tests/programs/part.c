/* A part of another program, or a library. */
int part_value = 12;

static __thread int part_thread = 31;

int part(int n)
{
    int twice = 2 * n;
    part_thread += n;
    part_value += twice;
    return part_value;
}
