#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int both(int n)
{
    return n + 1; /* both */
}
int main(void)
{
    int status, sum = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(both(4));
    waitpid(child, &status, 0);
    sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
    child = vfork();
    if (child == 0)
        _exit(both(6));
    waitpid(child, &status, 0);
    sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
    status = system("exit 9");
    sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
    both(0); /* parent */
    printf("%d\n", sum);
    return sum;
}
