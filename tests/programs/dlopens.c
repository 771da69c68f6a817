/* dlopens TIMES LIBRARY FUNCTION OTHER OTHER_FUNCTION: loads, calls and unloads LIBRARY, then keeps OTHER. */
#include <dlfcn.h>
#include <stdlib.h>
typedef int function(int);
static int settle(int n)
{
    return n; /* settled */
}
static int call(void *library, const char *name, int n)
{
    function *found = (function *)dlsym(library, name);
    return found ? found(n) : -1000000;
}
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < atoi(argv[1]); i++) {
        void *library = dlopen(argv[2], RTLD_NOW);
        sum += call(library, argv[3], i); /* loaded */
        dlclose(library);
    }
    void *other = dlopen(argv[4], RTLD_NOW);
    sum += settle(0);
    sum += call(other, argv[5], sum);
    return sum < 0; /* end */
}
