/* Asks the kernel to look at its system calls: "strict" (read, write and exit only) or "filter" (it is ended for an mmap);
   not "none". Then it works, answers each byte with it and a newline, and ends with its input. More functions than fit into a page. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile long done;
__attribute__((noinline)) static void work(void)
{
    done++; /* BREAK work */
}

#define ONE(n) __attribute__((noinline)) static void work##n(void) { done += 2; }
#define EIGHT(WHAT, n) WHAT(n##0) WHAT(n##1) WHAT(n##2) WHAT(n##3) WHAT(n##4) WHAT(n##5) WHAT(n##6) WHAT(n##7)
#define ALL(WHAT) EIGHT(WHAT, 0) EIGHT(WHAT, 1) EIGHT(WHAT, 2) EIGHT(WHAT, 3) EIGHT(WHAT, 4) EIGHT(WHAT, 5) \
    EIGHT(WHAT, 6) EIGHT(WHAT, 7) EIGHT(WHAT, 10) EIGHT(WHAT, 11) EIGHT(WHAT, 12) EIGHT(WHAT, 13) EIGHT(WHAT, 14) \
    EIGHT(WHAT, 15) EIGHT(WHAT, 16) EIGHT(WHAT, 17) EIGHT(WHAT, 20) EIGHT(WHAT, 21) EIGHT(WHAT, 22) EIGHT(WHAT, 23) \
    EIGHT(WHAT, 24) EIGHT(WHAT, 25) EIGHT(WHAT, 26) EIGHT(WHAT, 27) EIGHT(WHAT, 30) EIGHT(WHAT, 31)
ALL(ONE)
#define CALL(n) work##n();

static int begin(const char *how)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (strcmp(how, "none") == 0)
        return 0;
    if (strcmp(how, "strict") == 0)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    char answer[2] = {'r', '\n'};
    if (argc < 2 || begin(argv[1]))
        return 100;
    for (int i = 0; i < 3; i++)
        work(); /* BREAK at work */
    ALL(CALL)
    do {
        work();
        if (write(1, answer, sizeof answer) < 0) /* answered */
            break;
    } while (read(0, answer, 1) == 1);
    /* exit_group(2) is not allowed. */
    syscall(SYS_exit, done % 100);
}
