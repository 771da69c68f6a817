// Two functions of one name, with parameters of different names.
int taken(int whole)
{
    return whole + 1;
}
int taken(double part)
{
    return (int)part;
}
int main()
{
    return taken(2) + taken(2.5);
}
