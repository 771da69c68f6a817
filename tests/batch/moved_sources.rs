//! Sources that are not where the program was compiled: `directory` and `set substitute-path`, compared with gdb.

use crate::support::batch::{Outcome, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const TEXT: &str = "#include <stdio.h>\n\nint main(void)\n{\n    puts(\"wave\");\n    return 0;\n}\n";

/// A program whose sources have moved from `build/app/src` since it was compiled.
struct Moved {
    place: TempDir,
}

impl Moved {
    /// Compiles `name`, below `build/app`, in that directory. The text is older than the program.
    #[track_caller]
    fn compiled(compiler: &[&str], name: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        let moved = Self { place };
        let app = moved.path("build/app");
        for directory in ["build/app/src/io", "bin", "work"] {
            fs::create_dir_all(moved.path(directory)).unwrap();
        }
        let text = moved.path("build/app/src/io/wave.c");
        fs::write(&text, TEXT).unwrap();
        age(&text);
        let name = name.replace("BUILD", moved.path("build").to_str().unwrap());
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).arg("-g").arg("-o").arg(moved.program()).arg(name).current_dir(app);
        assert!(command.status().unwrap().success(), "{command:?}");
        moved
    }

    fn path(&self, below: &str) -> PathBuf {
        self.place.path().canonicalize().unwrap().join(below)
    }

    fn program(&self) -> PathBuf {
        self.path("bin/wave")
    }

    /// Moves a directory or a file.
    #[track_caller]
    fn move_to(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.path(from), to).unwrap();
    }

    /// `PLACE` in a text becomes the directory that has everything.
    fn filled(&self, text: &str) -> String {
        text.replace("PLACE", self.path("").to_str().unwrap().trim_end_matches('/'))
    }

    /// Runs a script on one rank, started in `work`.
    #[track_caller]
    fn run(&self, options: &[&str], script: &str) -> Outcome {
        let work = self.path("work");
        let mut all = vec!["-n", "1", "--keep-going", "--cwd", work.to_str().unwrap()];
        all.extend(options);
        json(&all, &[self.program().to_str().unwrap()], &self.filled(script))
    }

    /// The path of the file that gdb shows after these commands.
    #[track_caller]
    fn gdb(&self, commands: &[&str]) -> Option<String> {
        let mut gdb = Command::new("gdb");
        gdb.args(["-nx", "-q", "-batch", "-ex", "set debuginfod enabled off"]).current_dir(self.path("work"));
        for command in commands.iter().chain(&["list main", "info source"]) {
            gdb.arg("-ex").arg(self.filled(command));
        }
        let output = gdb.arg(self.program()).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("Current source file"), "{text}");
        let found = text.lines().find_map(|line| line.strip_prefix("Located in ")).map(str::to_owned);
        found.filter(|_| text.contains("puts("))
    }
}

fn age(file: &Path) {
    let file = fs::File::options().write(true).open(file).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
}

/// Ways to find the sources after a move.
const RULES: &[&[&str]] = &[
    &[],
    &["set substitute-path PLACE/build PLACE/now"],
    &["set substitute-path PLACE/build/app/ PLACE/now/app/"],
    &["set substitute-path PLACE/build/ap PLACE/now/ap"],
    &["set substitute-path PLACE/build PLACE/none", "set substitute-path PLACE/build PLACE/now"],
    &["set substitute-path PLACE/build PLACE/now", "unset substitute-path PLACE/build"],
    &["set substitute-path PLACE/build PLACE/now", "unset substitute-path"],
    &["directory PLACE/now/app"],
    &["directory PLACE/now/app/src/io"],
    &["directory PLACE/now/app/src/io:PLACE/none"],
    &["directory PLACE/none PLACE/now/app/src/io"],
    &["directory PLACE/now/app", "directory"],
    &["set directories PLACE/now/app"],
    &["directory $cwd/../now/app/src/io"],
    &["directory ../now/app/src/io"],
];

#[test]
fn moved_sources_are_found_where_gdb_finds_them() {
    for compiler in [["gcc", "-gdwarf-4"], ["gcc", "-gdwarf-5"], ["clang", "-gdwarf-4"], ["clang", "-gdwarf-5"]] {
        for name in ["src/io/wave.c", "BUILD/app/src/io/wave.c", "src/../src/io/wave.c"] {
            let moved = Moved::compiled(&compiler, name);
            moved.move_to("build", "now");
            let mut script = String::new();
            let mut expected = Vec::new();
            for rules in RULES {
                expected.push(moved.gdb(rules));
                // Each set of rules begins with none.
                script += &format!("directory\nunset substitute-path\n{}\nlist main\n", rules.join("\n"));
            }
            assert!(expected.iter().flatten().count() >= 6, "{expected:?}");
            let objects = moved.run(&[], &script).objects();
            let listings = objects.iter().filter(|object| match object["type"].as_str() {
                Some("source") => true,
                Some("error") => object["command"] == "list main",
                _ => false,
            });
            let found: Vec<Option<String>> = listings
                .map(|object| Some(object.get("found").or(object.get("file"))?.as_str().unwrap().to_owned()))
                .collect();
            // A rank also looks at the ends of the path below a named directory, and below `$cwd`; gdb does not.
            let own = moved.path("now/app/src/io/wave.c").to_str().map(str::to_owned);
            let mut others = Vec::new();
            for ((found, expected), rules) in found.iter().zip(&expected).zip(RULES) {
                let more = rules.len() == 1 && (rules[0].ends_with("PLACE/now/app") || rules[0].contains("$cwd/"));
                if found != if more { &own } else { expected } {
                    others.push((rules, found, expected));
                }
            }
            assert!(others.is_empty(), "{compiler:?} {name}: {others:#?}");
            assert_eq!(found.len(), RULES.len(), "{objects:?}");
        }
    }
}

/// gdb finds the line by the path at which it shows the file, too.
#[test]
fn a_line_is_found_by_the_path_at_which_its_file_is_now() {
    let moved = Moved::compiled(&["gcc"], "src/io/wave.c");
    moved.move_to("build", "now");
    let now = moved.filled("PLACE/now/app/src/io/wave.c");
    for engine in ["native", "gdb"] {
        for rule in ["set substitute-path PLACE/build PLACE/now", "directory PLACE/now/app"] {
            let script =
                format!("{rule}\nbreak {now}:5\nbreak {now}:main\ninfo scope {now}:5\nlist {now}:6\ngo\nwait\n");
            let outcome = moved.run(&["--engine", engine], &script);
            let points = outcome.of("breakpoint");
            assert_eq!(points.len(), 2, "{engine}: {}", outcome.text);
            let has_sites =
                |point: &serde_json::Value| point["sites"].as_array().is_some_and(|sites| !sites.is_empty());
            assert!(points.iter().all(has_sites), "{engine}, {rule}: {}", outcome.text);
            assert_eq!(outcome.ranks("stopped", "line", 5), "0", "{engine}, {rule}: {}", outcome.text);
            assert!(outcome.of("error").is_empty(), "{engine}, {rule}: {}", outcome.text);
        }
    }
}

#[test]
fn a_missing_source_says_which_rule_would_find_it() {
    let moved = Moved::compiled(&["gcc"], "src/io/wave.c");
    moved.move_to("build", "work/away");
    let missing = |script: &str| {
        let errors = moved.run(&[], script).of("error");
        errors.last().map(|error| error["message"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    let tried = "PLACE/build/app/src/io/wave.c: No such file or directory.";
    let elsewhere = "If the sources are elsewhere: set substitute-path";
    let expected = format!("{tried} {elsewhere} PLACE/build/app DIR, or directory DIR.");
    assert_eq!(missing("list main"), moved.filled(&expected));
    let expected = format!(
        "{tried} The rule of substitute-path leads to PLACE/x/app/src/io/wave.c. {elsewhere} PLACE/build/app DIR, or directory DIR."
    );
    assert_eq!(missing("set substitute-path PLACE/build PLACE/x\nlist main"), moved.filled(&expected));
    let expected =
        format!("{tried} Searched directories: /x:$cdir:$cwd. {elsewhere} PLACE/build/app DIR, or directory DIR.");
    assert_eq!(missing("directory /x\nlist main"), moved.filled(&expected));
    // The sources are beside the working directory, without the directory of the application.
    moved.move_to("work/away/app/src", "src");
    let expected = format!("{tried} {elsewhere} PLACE/build/app PLACE, or directory DIR.");
    assert_eq!(missing("list main"), moved.filled(&expected));
    assert_eq!(missing("set substitute-path PLACE/build/app PLACE\nlist main"), "");
}

/// The warnings of two listings of a file that may have changed.
fn warnings(moved: &Moved) -> Vec<String> {
    let outcome = moved.run(&[], "directory PLACE/now/app/src/io\nlist main\nlist 1,2\n").expect(0);
    let messages = outcome.of("message");
    let warnings = messages.iter().filter(|message| message["severity"] == "warning");
    let warnings: Vec<String> = warnings.map(|message| message["message"].as_str().unwrap().to_owned()).collect();
    let sources = outcome.of("source");
    assert_eq!(sources.len(), 2, "{sources:?}");
    let program = moved.program();
    assert!(
        sources.iter().all(|source| {
            source.get("changed_since").map(|since| since.as_str().unwrap())
                == program.to_str().filter(|_| !warnings.is_empty())
        }),
        "{sources:?}"
    );
    warnings
}

#[test]
fn a_source_that_has_changed_since_the_program_was_built_is_said_once() {
    let changed = ["wave.c has changed since wave was built: lines may be wrong"];
    for (compiler, has_sum) in
        [(["gcc", "-gdwarf-4"], false), (["gcc", "-gdwarf-5"], false), (["clang", "-gdwarf-5"], true)]
    {
        let moved = Moved::compiled(&compiler, "src/io/wave.c");
        moved.move_to("build", "now");
        assert!(warnings(&moved).is_empty(), "{compiler:?}");
        // The same text, but newer than the program.
        let text = moved.path("now/app/src/io/wave.c");
        let later = fs::metadata(moved.program()).unwrap().modified().unwrap() + Duration::from_secs(2);
        let touch = |time| fs::File::options().write(true).open(&text).unwrap().set_modified(time).unwrap();
        touch(later);
        let expected: &[&str] = if has_sum { &[] } else { &changed };
        assert_eq!(warnings(&moved), expected, "{compiler:?}");
        // Another text, but older.
        fs::write(&text, format!("// a line before\n{TEXT}")).unwrap();
        age(&text);
        let expected: &[&str] = if has_sum { &changed } else { &[] };
        assert_eq!(warnings(&moved), expected, "{compiler:?}");
        let gdb = Command::new("gdb")
            .args(["-nx", "-q", "-batch", "-ex", "set debuginfod enabled off"])
            .stdin(Stdio::null())
            .args(["-ex", &moved.filled("directory PLACE/now/app/src/io"), "-ex", "list main"])
            .arg(moved.program())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&gdb.stderr).contains("more recent than executable");
        assert!(!said, "gdb compares times only");
    }
}

#[test]
fn rules_for_sources_are_saved() {
    let moved = Moved::compiled(&["gcc"], "src/io/wave.c");
    moved.move_to("build", "now");
    let rules = "set substitute-path PLACE/build PLACE/now\ndirectory PLACE/none";
    moved.run(&[], &format!("{rules}\nsave PLACE/saved\n")).expect(0);
    let outcome = moved.run(&[], "source PLACE/saved\nlist main\nshow directories\n").expect(0);
    assert_eq!(outcome.of("source")[0]["found"], moved.filled("PLACE/now/app/src/io/wave.c"));
    assert!(outcome.text.contains(&moved.filled("PLACE/none:$cdir:$cwd")), "{}", outcome.text);
}

#[test]
fn the_gdb_engine_finds_moved_sources_too() {
    let moved = Moved::compiled(&["gcc"], "src/io/wave.c");
    moved.move_to("build", "now");
    for rule in ["set substitute-path PLACE/build PLACE/now", "directory PLACE/now"] {
        let outcome = moved.run(&["--engine", "gdb"], &format!("{rule}\nlist main\n")).expect(0);
        assert_eq!(outcome.of("source")[0]["found"], moved.filled("PLACE/now/app/src/io/wave.c"), "{rule}");
    }
}
