/* Each rank waits for something else than a message, for ever. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_held;

static void *hold(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_held = 1;
    pause(); /* BREAK holder */
    return unused;
}

static void end_with_the_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int main(int argc, char **argv)
{
    int rank = atoi(getenv("RANKSCOPE_RANK")), ends[2];
    char byte;
    pthread_t thread;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(argv[1], O_RDWR | O_CREAT, 0600);
    if (argc < 2 || pipe(ends) < 0 || file < 0)
        return 1;
    if (rank < 2) {
        pthread_create(&thread, NULL, hold, NULL);
        while (!is_held)
            usleep(1000);
    }
    if (rank == 0)
        pthread_mutex_lock(&mutex); /* BREAK mutex */
    if (rank == 1)
        pthread_join(thread, NULL); /* BREAK join */
    if (rank == 2) {
        pid_t child = fork();
        if (child == 0) {
            end_with_the_parent();
            execlp("sleep", "sleep", "1000", NULL);
        }
        waitpid(child, NULL, 0); /* BREAK child */
    }
    if (rank == 3)
        read(ends[0], &byte, 1); /* BREAK pipe */
    if (rank == 4) {
        fcntl(file, F_SETLKW, &lock);
        pause();
    }
    if (rank == 5) {
        do {
            usleep(1000);
            lock.l_type = F_WRLCK;
            fcntl(file, F_GETLK, &lock);
        } while (lock.l_type == F_UNLCK);
        lock.l_type = F_WRLCK;
        fcntl(file, F_SETLKW, &lock); /* BREAK lock */
    }
    if (rank == 6 && vfork() == 0) {
        end_with_the_parent();
        pause();
        _exit(0);
    }
    return 0;
}
