#include "sqlite3.h"
#include <stdio.h>

static int row(void *seen, int n, char **values, char **names) {
    (void)names;
    *(int *)seen += n;
    return values == 0;
}

int main(void) {
    sqlite3 *db;
    int seen = 0;
    char *why = 0;
    if (sqlite3_open(":memory:", &db))
        return 1;
    sqlite3_exec(db, "create table t(a integer primary key, b text, c real); create index i on t(b);", 0, 0, &why);
    for (int i = 0; i < 30; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "insert into t(b,c) values('row %d', %d.5)", i, i);
        sqlite3_exec(db, sql, 0, 0, &why);
    }
    sqlite3_exec(db, "select count(*), max(c), group_concat(b) from t where b like 'row 1%' order by c desc", row, &seen, &why);
    sqlite3_exec(db, "with recursive r(n) as (select 1 union all select n+1 from r where n<9) select * from r, t where a=n",
                 row, &seen, &why);
    sqlite3_exec(db, "update t set c = c * 2 where a % 3 = 0; delete from t where a > 20; syntax error", row, &seen, &why);
    printf("%d %s\n", seen, why ? why : "");
    sqlite3_free(why);
    return sqlite3_close(db);
}
