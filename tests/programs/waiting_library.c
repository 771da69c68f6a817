// A library that a program in another language calls.
#include <stdio.h>
#include <unistd.h>

void wait_for_nothing(void) {
    puts("waiting");
    fflush(stdout);
    for (;;) {
        pause(); /* BREAK pause */
    }
}
