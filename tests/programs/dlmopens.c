/* dlmopens LIBRARY FUNCTION: loads the library into two namespaces of its own and calls the function of each. */
#define _GNU_SOURCE
#include <dlfcn.h>
typedef int function(int);
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        void *library = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW);
        function *found = library ? (function *)dlsym(library, argv[2]) : 0;
        sum += found ? found(i) : -1000000;
    }
    return sum < 0;
}
