//! Real software from the registries, built with debug information when it was asked for.

use crate::own::report;
use crate::stage::Engine;
use crate::tally::Tally;
use crate::walk::{Subject, walk};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Stops at most in each program.
const STOPS: usize = 150;

/// Crates that bring sources of C along.
const MANIFEST: &str = "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n
[dependencies]\nlua-src = \"547\"\nlibz-sys = \"1\"\nlibsqlite3-sys = \"0.30\"\n";

const LUA_SCRIPT: &str = "local t = {} for i = 1, 50 do t[i] = {name = 'n' .. i, value = i * 1.5} end
table.sort(t, function(a, b) return a.value > b.value end)
local s = '' for _, e in ipairs(t) do s = s .. string.format('%s=%g;', e.name, e.value) end
local co = coroutine.wrap(function(a) for k in string.gmatch(a, '(%w+)=') do coroutine.yield(k) end end)
print(#s, co(s), pcall(error, {code = 7}), os.time() > 0, math.floor(3.7), select('#', 1, 2, 3))
setmetatable(t, {__index = function(_, k) return k end, __gc = print}) print(t.missing, load('return 1 + 1')())";

const LUA_MAIN: &str = "#include \"lua.h\"\n#include \"lualib.h\"\n#include \"lauxlib.h\"
int main(int argc, char **argv) { lua_State *L = luaL_newstate(); luaL_openlibs(L); int failed = argc > 1 && luaL_dofile(L, argv[1]);
  if (failed) lua_writestringerror(\"%s\\n\", lua_tostring(L, -1)); lua_close(L); return failed; }\n";

const SQLITE_MAIN: &str = "#include \"sqlite3.h\"\n#include <stdio.h>
static int row(void *seen, int n, char **values, char **names) { (void)names; *(int *)seen += n; return values == 0; }
int main(void) {
  sqlite3 *db; int seen = 0; char *why = 0;
  if (sqlite3_open(\":memory:\", &db)) return 1;
  sqlite3_exec(db, \"create table t(a integer primary key, b text, c real); create index i on t(b);\", 0, 0, &why);
  for (int i = 0; i < 30; i++) { char sql[200]; snprintf(sql, sizeof sql, \"insert into t(b,c) values('row %d', %d.5)\", i, i);
    sqlite3_exec(db, sql, 0, 0, &why); }
  sqlite3_exec(db, \"select count(*), max(c), group_concat(b) from t where b like 'row 1%' order by c desc\", row, &seen, &why);
  sqlite3_exec(db, \"with recursive r(n) as (select 1 union all select n+1 from r where n<9) select * from r, t where a=n\", row, &seen, &why);
  sqlite3_exec(db, \"update t set c = c * 2 where a % 3 = 0; delete from t where a > 20; syntax error\", row, &seen, &why);
  printf(\"%d %s\\n\", seen, why ? why : \"\"); sqlite3_free(why); return sqlite3_close(db); }\n";

const ZLIB_MAIN: &str = "#include <zlib.h>\n#include <stdio.h>\n#include <string.h>
int main(void) { static unsigned char in[20000], out[30000], back[20000]; uLongf n = sizeof out, m = sizeof back;
  for (unsigned i = 0; i < sizeof in; i++) in[i] = (unsigned char)(i * i >> 5 ^ i % 7);
  if (compress2(out, &n, in, sizeof in, 9)) return 1; if (uncompress(back, &m, out, n)) return 2;
  printf(\"%lu %lu %lx\\n\", n, m, crc32(0, back, (uInt)m)); return memcmp(in, back, sizeof in) != 0; }\n";

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Brings the sources of crates here.
fn fetch(directory: &Path) -> PathBuf {
    let sources = directory.join("sources");
    std::fs::create_dir_all(sources.join("src")).unwrap();
    std::fs::write(sources.join("Cargo.toml"), MANIFEST).unwrap();
    std::fs::write(sources.join("src/lib.rs"), "").unwrap();
    run(Command::new("cargo").args(["vendor", "-q", "vendor"]).current_dir(&sources));
    sources.join("vendor")
}

fn sources_in(directory: &Path, without: &[&str]) -> Vec<PathBuf> {
    let all = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let is_c = |path: &PathBuf| path.extension().is_some_and(|end| end == "c");
    let mut all: Vec<PathBuf> = all.filter(|path| is_c(path) && !without.contains(&name(path).as_str())).collect();
    all.sort();
    all
}

/// Programs with their names, built in all ways.
fn subjects(directory: &Path, wanted: &str) -> Vec<Subject> {
    let vendor = fetch(directory);
    let ways: &[&[&str]] = &[&["-g", "-O0"], &["-g", "-O2"], &["-gdwarf-4", "-O1"], &["-g3", "-O3"]];
    let lua = vendor.join("lua-src/lua-5.4.7");
    let zlib = vendor.join("libz-sys/src/zlib");
    let sqlite = vendor.join("libsqlite3-sys/sqlite3");
    let script = directory.join("script.lua");
    std::fs::write(&script, LUA_SCRIPT).unwrap();
    std::fs::write(directory.join("use_lua.c"), LUA_MAIN).unwrap();
    std::fs::write(directory.join("use_sqlite.c"), SQLITE_MAIN).unwrap();
    std::fs::write(directory.join("use_zlib.c"), ZLIB_MAIN).unwrap();
    let with = |mut files: Vec<PathBuf>, main: &str| {
        files.push(directory.join(main));
        files
    };
    let programs = [
        (
            "lua",
            with(sources_in(&lua, &["lua.c", "luac.c", "onelua.c", "ltests.c"]), "use_lua.c"),
            lua.clone(),
            vec![script.display().to_string()],
        ),
        ("zlib", with(sources_in(&zlib, &[]), "use_zlib.c"), zlib.clone(), vec![]),
        ("sqlite", with(vec![sqlite.join("sqlite3.c")], "use_sqlite.c"), sqlite.clone(), vec![]),
    ];
    let mut subjects = Vec::new();
    for (name, files, include, arguments) in programs {
        for (number, way) in ways.iter().enumerate() {
            let name = format!("{name} {}", way.join(" "));
            if !name.contains(wanted) {
                continue;
            }
            let program = directory.join(format!("{}-{number}", name.split(' ').next().unwrap()));
            let mut compiler = Command::new("gcc");
            compiler
                .args(*way)
                .args(["-w", "-DHAVE_UNISTD_H", "-DLUA_USE_POSIX", "-DSQLITE_THREADSAFE=0", "-I"])
                .arg(&include);
            run(compiler.args(&files).arg("-o").arg(&program).args(["-lm", "-ldl"]));
            subjects.push(Subject { name, program, arguments: arguments.clone(), sources: Vec::new(), stops: STOPS });
        }
    }
    subjects
}

#[test]
fn real_software() {
    let Ok(wanted) = std::env::var("RANKSCOPE_DIFFERENTIAL") else { return };
    let engine = match std::env::var("RANKSCOPE_DIFFERENTIAL_ENGINE").as_deref() {
        Ok("gdb") => Engine::Gdb,
        Ok("native") | Err(_) => Engine::Native,
        Ok(other) => panic!("RANKSCOPE_DIFFERENTIAL_ENGINE={other}: it is native or gdb"),
    };
    if wanted.contains('/') {
        let mut words = wanted.split(' ').map(str::to_owned);
        let program = PathBuf::from(words.next().unwrap_or_default());
        let subject =
            Subject { name: wanted.clone(), program, arguments: words.collect(), sources: Vec::new(), stops: STOPS };
        report(&wanted, &walk(&subject, engine));
        return;
    }
    let wanted = if wanted == "1" { "" } else { wanted.as_str() };
    let directory = tempfile::tempdir().unwrap();
    let mut all = Tally::of(engine);
    for subject in subjects(directory.path(), wanted) {
        let tally = walk(&subject, engine);
        report(&subject.name, &tally);
        all.add(tally);
    }
    report("all", &all);
    assert!(all.compared() > 0, "no program is called {wanted}");
}
