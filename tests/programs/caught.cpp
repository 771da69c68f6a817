/* Does, one after the other, everything that can be caught. */
#include <csignal>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
static int thrower(int n)
{
    if (n > 1)
        throw n;
    return n;
}
static void ignored(int) {}
static int traced(int n)
{
    int twice = 2 * n;
    return twice; /* traced */
}
int main(int argc, char **argv)
{
    if (argc > 2)
        return 7;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += traced(i);
    try {
        sum += thrower(2);
    } catch (int n) {
        sum += n;
    }
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, &status, 0);
    child = vfork();
    if (child == 0)
        _exit(0);
    waitpid(child, &status, 0);
    signal(SIGUSR1, ignored);
    raise(SIGUSR1);
    dlclose(dlopen(argv[1], RTLD_NOW));
    execl("/proc/self/exe", argv[0], "again", "and again", nullptr);
    return sum;
}
