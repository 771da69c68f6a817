/* Prints how it was started, and then every line of its standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void got(const char *line)
{
    printf("read %s\n", line);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char directory[4096] = "";
    char line[1024];
    const char *flavour = getenv("FLAVOUR");
    for (int i = 1; i < argc; i++)
        printf("argument %d is [%s]\n", i, argv[i]);
    printf("flavour %s\n", flavour ? flavour : "none");
    printf("directory %s\n", getcwd(directory, sizeof directory) ? directory : "?");
    fflush(stdout);
    if (getenv("QUIET"))
        return 0;
    if (argc > 1 && strcmp(argv[1], "deaf") == 0)
        pause();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        got(line);
    }
    printf("end of input\n");
    return 0;
}
