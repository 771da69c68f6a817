/* A function that is called ten times. */
int last;

int call(int round)
{
    last = round;
    return round;
}

int main(void)
{
    int sum = 0;
    for (int round = 0; round < 10; round++)
        sum += call(round);
    return sum;
}
