/* Locals of main are watched until it returns. */
int main(void)
{
    long wide[8] = {0};
    int local = 1, index = 2, row[4] = {0, 0, 0, 0};
    local = 2; /* made */
    row[index] = 5;
    wide[7] = 3;
    return local;
}
