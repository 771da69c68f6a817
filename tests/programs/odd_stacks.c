/* Stacks that are not plain: without call frame information, overwritten, very deep, through stubs and the kernel's code. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
volatile long sink;
__asm__(".text\n.globl bare\n.type bare, @function\n"
        "bare:\n push %rbp\n mov %rsp, %rbp\n call bottom\n pop %rbp\n ret\n"
        ".size bare, . - bare\n");
void bare(void);
void bottom(void)
{
    sink++; /* BREAK bottom */
}
__attribute__((noinline)) static void overwrite(void)
{
    void **frame = __builtin_frame_address(0);
    frame[0] = (void *)8;
    frame[1] = (void *)16;
    sink++; /* BREAK overwritten */
    exit(5);
}
__attribute__((noinline)) static long descend(long n)
{
    if (n == 0)
        return sink; /* BREAK deepest */
    return descend(n - 1) + 1;
}
int main(int count, char **words)
{
    const char *way = count > 1 ? words[1] : "";
    struct timespec now;
    if (!strcmp(way, "overwritten"))
        overwrite();
    if (!strcmp(way, "deep"))
        sink = descend(100000);
    bare();
    clock_gettime(CLOCK_MONOTONIC, &now); /* BREAK asks */
    return now.tv_sec < 0;
}
