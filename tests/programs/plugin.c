/* A library: its function is called plugin, or NAME. */
#ifndef NAME
#define NAME plugin
#endif
int NAME(int n)
{
    return n + 1; /* inside */
}
