/* A part of another program, or a library. */
int part_value = 12;

int part(int n)
{
    int twice = 2 * n;
    part_value += twice;
    return part_value;
}
