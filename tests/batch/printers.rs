//! Printers: those that users write, those that come with the program, and how they are loaded.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::marks::source;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The values of expressions where a program has "stop here".
fn values_at(program: &Path, file: &str, expressions: &[&str]) -> Vec<String> {
    let commands: String = expressions.iter().map(|expression| format!("print {expression}\n")).collect();
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], &at_stop(file, &commands));
    assert_eq!(outcome.status, 0, "{}{}", outcome.text, outcome.errors);
    let values = outcome.of("value");
    assert_eq!(values.len(), expressions.len(), "{}", outcome.text);
    values.iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

fn at_stop(file: &str, commands: &str) -> String {
    let text = std::fs::read_to_string(source(file)).unwrap();
    let line = text.lines().position(|line| line.contains("stop here")).unwrap() + 1;
    format!("break {file}:{line}\ngo\nwait\n{commands}")
}

#[track_caller]
fn prints(program: &Path, file: &str, expectations: &[(&str, &str)]) {
    let expressions: Vec<&str> = expectations.iter().map(|(expression, _)| *expression).collect();
    for (value, (expression, expected)) in values_at(program, file, &expressions).iter().zip(expectations) {
        assert_eq!(value, expected, "{expression}");
    }
}

/// The program with its printers beside it, which are copied once: other tests may be reading them.
fn own_types() -> PathBuf {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let program = build("g++", "own_types.cpp", &["-g", "-O0", "-DWITH_PRINTERS"]);
        std::fs::copy(source("own_types-printers.toml"), beside(&program)).unwrap();
        program
    });
    PROGRAM.clone()
}

/// Runs a script whose output is text.
fn script(options: &[&str], program: &[&str], commands: &str) -> Outcome {
    let arguments = ["run", "--timeout", "80", "--batch", "-"].iter().chain(options).chain(program).copied();
    Place::new().run(&arguments.collect::<Vec<_>>(), commands)
}

/// A copy of the program without its printers.
fn alone(directory: &Path) -> PathBuf {
    let program = directory.join("own_types");
    std::fs::copy(build("g++", "own_types.cpp", &["-g", "-O0"]), &program).unwrap();
    program
}

fn beside(program: &Path) -> PathBuf {
    PathBuf::from(format!("{}-printers.toml", program.display()))
}

const ORDERS: &str = "3 orders = {[0] = order 1, \"Ann\" = {price = 12.5, dear = true, urgent = true}, [1] = order 2, \
                      \"Bo\" = {price = 9, dear = false}, [2] = order 3, \"Chu\" = {price = 7.25, dear = false, urgent \
                      = true}}";

#[test]
fn a_file_beside_the_program_shows_its_types() {
    prints(
        &own_types(),
        "own_types.cpp",
        &[
            ("stack", "stack of 3, at most 8 = {1, 4, 9}"),
            ("points", "stack of 1, at most 4 = {(1, 2)}"),
            ("buffer", "buffer of 3, 8 bytes each = {0.5, 1.5, 2.5}"),
            ("none", "no buffer"),
            ("ring", "ring of 3 = {10, 20, 30}"),
            ("queue", ORDERS),
            ("waiting", ORDERS),
            ("before", "shape at (3, 4)"),
            ("now", "6 sides at (5, 6)"),
            ("name", "\"Ludwig\""),
            ("queues", &format!("stack of 1, at most 2 = {{{ORDERS}}}")),
            ("stack[1]", "4"),
            ("stack.size() + stack.back()", "12"),
            ("buffer.front()", "0.5"),
            ("ring[2]", "30"),
        ],
    );
}

#[test]
fn raw_values_have_no_printers() {
    let program = own_types();
    let raw = &values_at(&program, "own_types.cpp", &["/r queue", "/r now"])[..];
    assert!(raw[0].starts_with("{first = 0x") && raw[0].ends_with(", length = 3}"), "{raw:?}");
    assert_eq!(raw[1], "{version = 2, sides = 6, at = {x = 5, y = 6}}");
}

#[test]
fn a_list_with_a_loop_is_shown_up_to_it() {
    let [value] = &values_at(&own_types(), "own_types.cpp", &["loop"])[..] else { panic!("there is no value") };
    let (note, rest) = value.split_once("> = ").unwrap();
    assert!(note.starts_with("9 orders <own_types-printers.toml:") && note.contains("the list has a loop"), "{value}");
    assert_eq!(rest, "{[0] = order 7, \"Di\" = {price = 1, dear = false}}");
}

#[test]
fn keys_of_a_tree_and_of_chains_are_in_brackets() {
    let values = &values_at(&own_types(), "own_types.cpp", &["dictionary", "words"])[..];
    let words: Vec<&str> = values[0].split('"').skip(1).step_by(2).collect();
    assert_eq!(words, ["one", "five", "nine"], "{values:?}");
    assert!(values[0].starts_with("{[1] = 0x") && values[0].contains(", [9] = 0x"), "{values:?}");
    assert!(values[1].starts_with("words = {[0x") && values[1].contains("\"bean\"] = 5"), "{values:?}");
}

#[test]
fn the_file_that_was_loaded_last_is_tried_first() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, title: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, format!("[[printer]]\ntype = \"Shape\"\ntitle = \"{title}\"\n")).unwrap();
        path.display().to_string()
    };
    let (first, second) = (file("first.toml", "first"), file("second.toml", "second"));
    let program = alone(place.path());
    let commands =
        format!("print now\nprinters {first}\nprint now\nprinters {second}\nprint now\nprinters {first}\nprint now\n");
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], &at_stop("own_types.cpp", &commands));
    let values: Vec<Value> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
    assert_eq!(values[1..], ["first", "second", "first"], "{}", outcome.text);
    assert!(values[0].as_str().unwrap().starts_with("{version = 2"), "{}", outcome.text);
}

#[test]
fn printers_are_listed() {
    let program = own_types();
    let commands = "info printers Stack\ninfo pretty-printer std::__1::vec\nprinters\n";
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], &at_stop("own_types.cpp", commands));
    let lists = outcome.of("printers");
    let of = |number: usize| lists[number]["printers"].as_array().unwrap();
    let [stack] = &of(0)[..] else { panic!("{}", outcome.text) };
    assert_eq!(stack["types"], serde_json::json!(["Stack<*, *>"]));
    assert!(stack["file"].as_str().unwrap().ends_with("own_types-printers.toml"));
    let [vectors] = &of(1)[..] else { panic!("{}", outcome.text) };
    assert_eq!((&vectors["file"], &vectors["built_in"]), (&"libc++".into(), &true.into()));
    assert!(of(2).len() > 3, "{}", outcome.text);
}

#[test]
fn printers_are_turned_off_and_on_like_those_of_gdb() {
    let program = build("g++", "containers.cpp", &["-g", "-O0", "-std=c++17"]);
    let commands = "print points\ndisable pretty-printer std::vector\nprint points\ninfo pretty-printer std::vector\n\
        enable pretty-printer\nprint points\ndisable pretty-printer libstdc nothing\ndisable pretty-printer [\n";
    let script = format!("break use\ngo\nwait\n{commands}");
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], &script).expect(1);
    let values: Vec<Value> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
    assert!(values[0].as_str().unwrap().starts_with("std::vector of length"), "{}", outcome.text);
    assert!(values[1].as_str().unwrap().contains("_M_impl"), "{}", outcome.text);
    assert_eq!(values[2], values[0]);
    let listed = &outcome.of("printers")[0]["printers"][0];
    assert_eq!((&listed["file"], &listed["disabled"]), (&"libstdc++".into(), &serde_json::json!(["std::vector"])));
    let errors: Vec<Value> = outcome.of("error").iter().map(|error| error["message"].clone()).collect();
    assert!(errors[0].as_str().unwrap().contains("no printer matches libstdc nothing"), "{errors:?}");
    assert_eq!(errors.len(), 2, "{errors:?}");
}

#[test]
fn a_saved_session_has_its_printers() {
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    let file = place.path().join("my own.toml");
    std::fs::write(&file, "[[printer]]\ntype = \"Shape\"\ntitle = \"mine\"\n").unwrap();
    let saved = place.path().join("saved");
    let commands = format!(
        "printers \"{}\"\nprint now\ndisable pretty-printer Shape\nprint now\nsave {1}\nenable pretty-printer\nsource {1}\n\
        print now\nenable pretty-printer my.own\nprint now\n",
        file.display(),
        saved.display()
    );
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], &at_stop("own_types.cpp", &commands));
    let values: Vec<Value> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
    assert_eq!((&values[0], &values[3]), (&"mine".into(), &"mine".into()), "{}", outcome.text);
    assert!(values[1].as_str().unwrap().starts_with("{version"), "{}", outcome.text);
    assert_eq!(values[1], values[2]);
    let text = std::fs::read_to_string(&saved).unwrap();
    assert!(text.contains(&format!("printers \"{}\"\n", file.display())), "{text}");
}

#[test]
fn files_that_cannot_be_used_are_refused_with_the_line() {
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    for (text, words) in [
        ("[[printer]]\ntype = \"Shape\"\ntitel = \"x\"\n", "p.toml:3: unknown field `titel`"),
        ("[[printer]]\ntype = \"Shape\"\ntitle = \"{sides +}\"\n", "p.toml:2: \"sides +\": A syntax error"),
        ("[[printer]]\ntype = \"Shape\"\ntitle = \"{sides = 3}\"\n", "a printer only looks"),
    ] {
        let path = place.path().join("p.toml");
        std::fs::write(&path, text).unwrap();
        let commands = format!("printers {}\n", path.display());
        let outcome = script(&["-n", "2"], &[program.to_str().unwrap()], &at_stop("own_types.cpp", &commands));
        assert_eq!(outcome.status, 1, "{}", outcome.text);
        assert!(outcome.text.contains(words), "{}{}", outcome.text, outcome.errors);
    }
    let outcome = script(&["-n", "1"], &[program.to_str().unwrap()], "printers /does/not/exist.toml\n");
    assert!(outcome.text.contains("cannot read /does/not/exist.toml"), "{}", outcome.text);
}

#[test]
fn a_printer_that_fails_is_a_note_on_the_value() {
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    std::fs::write(beside(&program), "[[printer]]\ntype = \"Shape\"\ntitle = \"{corners} corners\"\n").unwrap();
    let [value] = &values_at(&program, "own_types.cpp", &["now"])[..] else { panic!("there is no value") };
    let expected = "<own_types-printers.toml:2: No symbol \"corners\" in current context> = {version = 2, sides = 6, at = \
                    {x = 5, y = 6}}";
    assert_eq!(value, expected);
}

#[test]
fn the_configuration_directory_has_printers() {
    let directory = tempfile::tempdir().unwrap();
    let program = alone(directory.path());
    let place = Place::new();
    let printers = place.path().join("config/rankscope/printers");
    std::fs::create_dir_all(&printers).unwrap();
    std::fs::write(printers.join("a.toml"), "[[printer]]\ntype = \"Shape\"\ntitle = \"of a\"\n").unwrap();
    std::fs::write(printers.join("b.toml"), "[[printer]]\ntype = \"Sha\n").unwrap();
    let arguments = ["run", "-n", "1", "--timeout", "80", "--batch", "-", program.to_str().unwrap()];
    let outcome = place.run(&arguments, &at_stop("own_types.cpp", "print now\n"));
    assert!(outcome.text.contains("now = of a"), "{}{}", outcome.text, outcome.errors);
    assert!(outcome.text.contains("printers left out: ") && outcome.text.contains("b.toml:2: "), "{}", outcome.text);
}

#[test]
fn gdb_has_printers_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    let file = source("own_types-printers.toml");
    let commands = at_stop("own_types.cpp", &format!("printers {}\nprint now\n", file.display()));
    let outcome = script(&["-n", "1", "--engine", "gdb", "--keep-going"], &[program.to_str().unwrap()], &commands);
    assert!(outcome.text.contains("gdb shows values with its own pretty-printers"), "{}", outcome.text);
    assert!(outcome.text.contains("now = {version = 2, sides = 6, at = {x = 5, y = 6}}"), "{}", outcome.text);
}

#[test]
fn a_program_with_printers_for_gdb_is_told_of_the_engine() {
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    let run = || script(&["-n", "2"], &[program.to_str().unwrap()], "print 1\n").text;
    assert!(!run().contains("pretty-printers"));
    std::fs::write(format!("{}-gdb.py", program.display()), "import gdb\n").unwrap();
    let text = run();
    assert_eq!(text.matches("pretty-printers for gdb").count(), 1, "{text}");
    assert!(text.contains("own_types-gdb.py): --engine gdb uses them"), "{text}");
}

const LIBCXX: [(&str, &str); 37] = [
    ("brief", "\"short\""),
    ("empty", "\"\""),
    ("text", "\"a text that is too long for the object itself\""),
    ("view", "\"abc\""),
    ("numbers", "std::vector of length 3, capacity 3 = {1, 2, 3}"),
    ("none", "std::vector of length 0, capacity 0"),
    ("flags", "std::vector<bool> of length 3 = {true, false, true}"),
    ("words", "std::vector of length 2, capacity 2 = {\"one\", \"two\"}"),
    ("points", "std::vector of length 2, capacity 2 = {{x = 1, y = 2.5}, {x = 3, y = 4.5}}"),
    ("ages", "std::map of length 3 = {[1] = \"one\", [2] = \"two\", [3] = \"three\"}"),
    ("tight", "std::map of length 2 = {[97 'a'] = 1, [98 'b'] = 2}"),
    ("many", "std::map of length 2 = {[1] = 2, [1] = 3}"),
    ("some", "std::set of length 3 = {[0] = 4, [1] = 5, [2] = 6}"),
    ("names", "std::set of length 2 = {[0] = \"a\", [1] = \"b\"}"),
    ("weights", "std::unordered_map of length 1 = {[7] = 0.5}"),
    ("seen", "std::unordered_set of length 1 = {[0] = 9}"),
    ("chain", "std::list of length 3 = {[0] = 1, [1] = 2, [2] = 3}"),
    ("nolist", "std::list of length 0"),
    ("forward", "std::forward_list = {[0] = 0.5, [1] = 1.5}"),
    ("fixed", "{7, 8, 9}"),
    ("both", "{first = 1, second = 2.5}"),
    ("maybe", "std::optional = {[contained value] = 5}"),
    ("nothing", "std::optional [no contained value]"),
    ("queue.size()", "2999"),
    ("queue[0] + queue[2998]", "3000"),
    ("queue.back()", "2999"),
    ("numbers[1] + points[1].y", "6.5"),
    ("ages.size() + chain.size()", "6"),
    ("none.empty()", "true"),
    ("*owner", "42"),
    ("shared->y", "2"),
    ("*maybe", "5"),
    ("fixed[1]", "8"),
    ("numbers[1] = 20", "20"),
    ("numbers", "std::vector of length 3, capacity 3 = {1, 20, 3}"),
    ("sizeof(numbers[0])", "4"),
    ("text.size()", "45"),
];

#[test]
fn containers_of_llvms_library_are_shown() {
    let program = build("clang++", "libcxx_types.cpp", &["-g", "-O0", "-std=c++17", "-stdlib=libc++"]);
    prints(&program, "libcxx_types.cpp", &LIBCXX);
    let pointers = &values_at(&program, "libcxx_types.cpp", &["shared", "weak", "unset", "queue", "large"])[..];
    assert!(pointers[0].starts_with("std::shared_ptr (use count 2, weak count 1) = {get() = 0x"), "{pointers:?}");
    assert!(pointers[1].starts_with("std::weak_ptr (use count 2, weak count 1) = {get() = 0x"), "{pointers:?}");
    assert_eq!(pointers[2], "empty pointer = {get() = 0x0}");
    assert!(pointers[3].starts_with("std::deque of length 2999 = {1, 2, 3, 4"), "{pointers:?}");
    assert!(pointers[4].starts_with("std::map of length 1000 = {[0] = 0, [1] = 1, [2] = 4"), "{pointers:?}");
}

#[test]
fn containers_of_boost_are_shown() {
    prints(
        &build("g++", "boost_types.cpp", &["-g", "-O0"]),
        "boost_types.cpp",
        &[
            ("fixed", "boost::container::static_vector of length 3, capacity 8 = {1, 2, 3}"),
            ("small", "boost::container::small_vector of length 2, capacity 4 = {0.5, 1.5}"),
            ("spilled", "boost::container::small_vector of length 5, capacity 5 = {1, 2, 3, 4, 5}"),
            ("points", "boost::container::vector of length 2, capacity 2 = {{x = 1, y = 2}, {x = 3, y = 4}}"),
            ("names", "boost::container::flat_map of length 2 = {[1] = \"one\", [2] = \"two\"}"),
            ("numbers", "boost::container::flat_set of length 3 = {1, 2, 3}"),
            ("maybe", "boost::optional = {[contained value] = 5}"),
            ("nothing", "boost::optional [no contained value]"),
            ("word", "boost::optional = {[contained value] = \"abc\"}"),
            ("noword", "boost::optional [no contained value]"),
            ("last", "boost::circular_buffer of length 3, capacity 3 = {3, 4, 5}"),
            ("line", "boost::multi_array of 3 = {0, 1, 2}"),
            ("grid", "boost::multi_array of 2 x 3 = {{0, 1, 2}, {10, 11, 12}}"),
            ("cube", "boost::multi_array of 2 x 2 x 2 = {{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}}"),
            ("fixed[2] + small[1] + last[0]", "7.5"),
            ("*maybe", "5"),
        ],
    );
}

#[test]
fn containers_of_glib_are_shown() {
    let flags = Command::new("pkg-config").args(["--cflags", "--libs", "glib-2.0"]).output().unwrap();
    let flags = String::from_utf8(flags.stdout).unwrap();
    let options: Vec<&str> = ["-g", "-O0"].into_iter().chain(flags.split_whitespace()).collect();
    prints(
        &build("gcc", "glib_types.c", &options),
        "glib_types.c",
        &[
            ("text", "\"some text\""),
            ("*empty", "\"\""),
            ("list", "GList = {0x1, 0x2, 0x3}"),
            ("nothing", "(GList *) 0x0"),
            ("singles", "GSList = {0xa, 0x14, 0x1e}"),
            ("pointers", "GPtrArray of length 3 = {0x12c, 0xc8, 0x64}"),
            ("bytes", "GByteArray of length 3 = {97 'a', 98 'b', 99 'c'}"),
        ],
    );
    // GLib's own type is private.
    prints(
        &build("gcc", "hash_table.c", &["-g", "-O0"]),
        "hash_table.c",
        &[("table", "GHashTable of length 2 = {[0x1] = 0x10, [0x3] = 0x12}")],
    );
}

#[test]
fn views_with_the_members_of_kokkos_are_shown() {
    prints(
        &build("g++", "kokkos_view.cpp", &["-g", "-O0"]),
        "kokkos_view.cpp",
        &[
            ("line", "Kokkos::View of 4 = {1, 2, 3, 4}"),
            ("rows", "Kokkos::View of 2 x 3 = {{1, 2, 3}, {4, 5, 6}}"),
            ("columns", "Kokkos::View of 2 x 3, by columns = {{1, 2}, {3, 4}, {5, 6}}"),
        ],
    );
}

#[test]
fn printers_reach_core_files() {
    let place = tempfile::tempdir().unwrap();
    let program = own_types();
    let commands = at_stop("own_types.cpp", &format!("gcore {}\n", place.path().display()));
    let outcome = script(&["-n", "1"], &[program.to_str().unwrap()], &commands);
    assert_eq!(outcome.status, 0, "{}", outcome.text);
    let core = std::fs::read_dir(place.path()).unwrap().next().unwrap().unwrap().path();
    let outcome = opened(&program, &core, "print ring\n");
    assert!(outcome.text.contains("ring = ring of 3 = {10, 20, 30}"), "{}", outcome.text);
}

fn opened(program: &Path, core: &Path, commands: &str) -> Outcome {
    let place = Place::new();
    place.run(&["core", "--timeout", "80", "--batch", "-", program.to_str().unwrap(), core.to_str().unwrap()], commands)
}

/// The examples of docs/PRINTERS.md: the first rules, and the values that follow each of them.
#[test]
fn the_examples_of_the_page_work() {
    const PAGE: &str = include_str!("../../docs/PRINTERS.md");
    let blocks: Vec<&str> = PAGE.split("```").skip(1).step_by(2).collect();
    let rules: String = blocks.iter().filter_map(|block| block.strip_prefix("toml\n")).collect();
    assert_eq!(rules.matches("[[printer]]").count(), 4, "{rules}");
    let lines: Vec<&str> = blocks.iter().flat_map(|block| block.lines()).collect();
    let shown = lines.windows(2).filter_map(|pair| {
        let expression = pair[0].strip_prefix("(rankscope) print ")?;
        Some((expression, pair[1].strip_prefix("[0-63] ")?.strip_prefix(expression)?.strip_prefix(" = ")?))
    });
    let shown: Vec<(&str, &str)> = shown.collect();
    assert_eq!(shown.len(), 4, "{lines:?}");
    let place = tempfile::tempdir().unwrap();
    let program = alone(place.path());
    std::fs::write(beside(&program), rules).unwrap();
    prints(&program, "own_types.cpp", &shown);
    prints(&program, "own_types.cpp", &[("buffer[1]", "1.5"), ("buffer.size()", "3")]);
}
