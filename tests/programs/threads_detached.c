#include <pthread.h>
#include <stdio.h>
volatile int more = 1;
__attribute__((noinline)) int arrive(int i)
{
    return i + 1; /* here */
}
static void *run(void *unused)
{
    long wrong = 0;
    for (int i = 0; i < 300000; i++) {
        wrong += arrive(i) != i + 1;
        more = i;
    }
    return (void *)wrong;
}
int main(int argc, char **argv)
{
    pthread_t threads[4];
    long wrong = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 4; i++) {
        void *own;
        pthread_join(threads[i], &own);
        wrong += (long)own;
    }
    FILE *file = fopen("leaving", "w");
    fprintf(file, "%ld", wrong);
    fclose(file);
    rename("leaving", "left");
}
