/* A library of PMIx that fails: it lacks functions, or with ABORTS it kills its process. */
#include <stdlib.h>

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
