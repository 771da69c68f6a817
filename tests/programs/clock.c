/* The clock of a process that loads this: 200 seconds ahead from the time when the file exists that LATER names. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

time_t time(time_t *to)
{
    const char *later = getenv("LATER");
    int error = errno;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (later != NULL && access(later, F_OK) == 0)
        now.tv_sec += 200;
    errno = error;
    if (to != NULL)
        *to = now.tv_sec;
    return now.tv_sec;
}
