/* Waits for the file that the first argument names, which is removed at first, and then writes a line into the second. It
   starts no process: a child would be taken for the program behind a wrapper. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unlink(argv[1]);
    while (access(argv[1], F_OK) != 0)
        usleep(10000);
    FILE *file = fopen(argv[2], "a");
    if (!file)
        return 1;
    fputs("ran\n", file);
    return fclose(file);
}
