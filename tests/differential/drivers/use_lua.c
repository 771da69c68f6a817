#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    int failed = argc > 1 && luaL_dofile(L, argv[1]);
    if (failed)
        lua_writestringerror("%s\n", lua_tostring(L, -1));
    lua_close(L);
    return failed;
}
