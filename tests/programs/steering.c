/* What steers a terminal where names, files, threads and output are shown. A test puts ESC ] 0 ; x in the place of
   QESCQ and CSI (C1) 2 J x in that of QCSIQ: both are five bytes long. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct QESCQ_kind {
    int QCSIQ_member;
};

char QESCQ_global[] = "\033[2J\302\2332J";
struct QESCQ_kind QCSIQ_global = {7};

static void stop_here(void) { __asm__ volatile(""); }

#line 1 "QESCQ_QCSIQ.c"
static int QESCQ_function(int QCSIQ_argument)
{
    int QESCQ_local = QCSIQ_argument + 1;
    stop_here();
    return QESCQ_local;
}

int main(void)
{
    const char *words = "\033]0;x\007 and \302\2332J\tafter a tab\n";
    pthread_setname_np(pthread_self(), "\033[2J\302\2332J");
    fputs(words, stdout);
    fputs(words, stderr);
    fflush(stdout);
    return QESCQ_function((int)strlen(words)) == 0;
}
