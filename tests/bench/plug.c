/* A small library to load and unload. */
int plug_state;

int plug_work(int x)
{
    plug_state += x;
    return plug_state;
}
