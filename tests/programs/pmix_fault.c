/* A library of PMIx that fails: it lacks functions, or with ABORTS it kills its process. With COUNTS it has no jobs, and counts
   qualifiers as libraries do: those without a number end with a mark. */
#include <stddef.h>
#include <stdlib.h>

#ifdef COUNTS
struct info {
    char key[512];
    unsigned flags;
    struct {
        unsigned short kind;
        const char *text;
        size_t rest[2];
    } value;
};

struct query {
    char **keys;
    struct info *qualifiers;
    size_t count;
};

int PMIx_tool_init(void)
{
    return 0;
}

int PMIx_Query_info(struct query *queries, size_t count, struct info **results, size_t *found)
{
    static struct info none;
    for (size_t i = 0; i < count; i++)
        if (queries[i].qualifiers && !queries[i].count)
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
