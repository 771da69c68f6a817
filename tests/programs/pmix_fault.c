/* A library of PMIx that fails: it lacks functions, or with ABORTS it kills its process. With FALTERS it does that once, if
   it can remove that file, and fails to answer three times before it says that there are no jobs. */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FALTERS
struct info {
    char key[512];
    unsigned flags;
    struct {
        unsigned short kind;
        const char *text;
        size_t rest[2];
    } value;
};

int PMIx_tool_init(void)
{
    if (unlink(FALTERS) == 0)
        abort();
    return 0;
}

int PMIx_Query_info(void *queries, size_t count, struct info **results, size_t *found)
{
    static struct info none;
    static int asked;
    (void)queries, (void)count;
    if (asked++ < 3)
        return -1;
    none.value.kind = 3;
    none.value.text = "";
    *results = &none;
    *found = 1;
    return 0;
}

const char *PMIx_Error_string(void)
{
    return "PMIX_ERROR";
}

int PMIx_tool_finalize(void)
{
    return 0;
}
#endif

#ifdef ABORTS
int PMIx_tool_init(void)
{
    abort();
}

int PMIx_Query_info(void)
{
    return -1;
}

const char *PMIx_Error_string(void)
{
    return "?";
}

int PMIx_tool_finalize(void)
{
    return -1;
}
#endif
