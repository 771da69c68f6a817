/* System calls: their arguments and results, those that a stop interrupts, and those that a signal interrupts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];
static atomic_int reader;

static int doubled(int n) { return 2 * n; }

static void handler(int signal) { (void)signal; }

static void *reads(void *unused) {
    char byte;
    reader = syscall(SYS_gettid);
    read(ends[0], &byte, 1);
    return unused;
}

static char state_of(int tid) {
    char path[64], text[128] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    int file = open(path, O_RDONLY);
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got > 0 ? strrchr(text, ')')[2] : '?';
}

static void reader_sleeps(void) { getuid(); }

int main(int argc, char **argv) {
    int rank = getenv("RANKSCOPE_RANK") ? atoi(getenv("RANKSCOPE_RANK")) : 0;
    int doubles = doubled(rank);
    write(1, "hello\n", 6);
    int missing = open("/no/such\tfile", O_RDONLY);
    close(1000 + rank);
    if (argc > 1 && !strcmp(argv[1], "threads")) {
        pthread_t thread;
        pipe(ends);
        pthread_create(&thread, NULL, reads, NULL);
        while (!reader || state_of(reader) != 'S') {
        }
        reader_sleeps();
        write(ends[1], "x", 1);
        pthread_join(thread, NULL);
    }
    if (argc > 1 && !strcmp(argv[1], "signals")) {
        struct sigaction action = {.sa_handler = handler};
        sigaction(SIGALRM, &action, NULL);
        alarm(1);
        pause();
    }
    syscall(9999, doubles, missing);
    return 0;
}
