int twice(int n)
{
    int result = n * 2; /* twice */
    return result;
}
