#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        void *library = dlopen(argv[1], RTLD_NOW);
        int (*twice)(int) = (int (*)(int))dlsym(library, "twice");
        sum += twice(i + 1); /* call */
        dlclose(library);
    }
    return sum;
}
