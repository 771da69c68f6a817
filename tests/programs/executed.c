int later(int n)
{
    return n * 2; /* later */
}
int main(void)
{
    return later(21);
}
