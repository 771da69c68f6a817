//! One program with its debug information in every form that tools make: whole, split, packed, shared, compressed,
//! separated. gdb is given the same file, or a plain build if it cannot read the form.

use crate::beside_gdb::Beside;
use crate::driver::{Session, place};
use object::{Object, ObjectSection};
use rankscope::model::{Answer, Operation};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const PART: &str = include_str!("../programs/forms_part.cpp");

/// A directory to build in.
struct Shop(TempDir);

impl Shop {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) {
        let mut words = line.split_whitespace();
        let output = Command::new(words.next().unwrap()).args(words).current_dir(self.0.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Compiles both units on their own and links them.
    fn build(&self, compiler: &str, options: &str, name: &str) -> PathBuf {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        for unit in ["forms", "forms_part"] {
            let source = sources.join(unit).with_extension("cpp");
            self.run(&format!("{compiler} -g -O0 {options} -c {} -o {name}-{unit}.o", source.display()));
        }
        self.run(&format!("{compiler} {options} -o {name} {name}-forms.o {name}-forms_part.o"));
        self.path(name)
    }

    fn plain(&self) -> PathBuf {
        self.build("g++", "", "plain")
    }
}

fn has_section(path: &Path, name: &str) -> bool {
    let data = std::fs::read(path).unwrap();
    let file = object::File::parse(data.as_slice()).unwrap();
    file.sections().any(|section| section.name() == Ok(name) && section.size() > 0)
}

fn line_of(text: &str) -> u32 {
    crate::driver::line_of(PART, text)
}

/// Compares everything visible with gdb's view of `theirs`.
#[track_caller]
fn judge(theirs: &Path, ours: &Path) {
    let mut beside = Beside::of(theirs, ours, "part");
    beside.print(&[
        "point.x",
        "point.y",
        "pair",
        "*chain",
        "*chain->next",
        "words[1]",
        "either",
        "sizeof (shapes::Node)",
    ]);
    beside.print(&["point.x + pair.second", "chain->colour", "calls", "nodes[0].at"]);
    // gdb does not know the address forms that some compilers use for it.
    assert_eq!(beside.ours("depth"), "3");
    beside.whatis(&["point", "chain", "*chain", "pair", "words", "nodes", "local", "shapes::Either", "calls"]);
    beside.ptype(&["shapes::Colour", "Chain", "shapes::Either", "pair.first"]);
    beside.stack();
    beside.select_frame(1);
    beside.print(&["corner", "wide", "argc", "wide.first + 1"]);
    beside.whatis(&["corner", "wide", "wide.second"]);
    beside.judge();
    let mut beside = Beside::of(theirs, ours, &format!("forms_part.cpp:{}", line_of("/* weighed */")));
    beside.print(&["weight", "factor", "node.flags", "node.at.y"]);
    beside.stack();
    beside.judge();
}

#[test]
fn both_versions_of_gcc() {
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let shop = Shop::new();
        let program = shop.build("g++", version, "program");
        judge(&program, &program);
    }
}

#[test]
fn units_of_types() {
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let shop = Shop::new();
        let program = shop.build("g++", &format!("{version} -fdebug-types-section"), "program");
        assert_eq!(has_section(&program, ".debug_types"), version == "-gdwarf-4");
        judge(&program, &program);
    }
}

#[test]
fn units_that_were_split_at_compilation() {
    for options in ["-gdwarf-4", "-gdwarf-5", "-gdwarf-4 -fdebug-types-section", "-gdwarf-5 -fdebug-types-section"] {
        let shop = Shop::new();
        let plain = shop.build("g++", options, "plain");
        let program = shop.build("g++", &format!("{options} -gsplit-dwarf"), "program");
        assert!(shop.path("program-forms.dwo").exists());
        // gdb 13 cannot read split type units of version 5.
        judge(if options == "-gdwarf-5 -fdebug-types-section" { &plain } else { &program }, &program);
    }
}

#[test]
fn split_units_in_a_package() {
    for options in ["-gdwarf-4 -gsplit-dwarf", "-gdwarf-4 -gsplit-dwarf -fdebug-types-section"] {
        let shop = Shop::new();
        let program = shop.build("g++", options, "program");
        shop.run("dwp -e program -o program.dwp");
        for unit in ["forms", "forms_part"] {
            std::fs::remove_file(shop.path(&format!("program-{unit}.dwo"))).unwrap();
        }
        judge(&program, &program);
    }
}

#[test]
fn split_units_that_are_gone_are_said_to_be() {
    let shop = Shop::new();
    let program = shop.build("g++", "-gsplit-dwarf", "program");
    std::fs::remove_file(shop.path("program-forms_part.dwo")).unwrap();
    let mut session = Session::launch(&program, 1);
    // The other unit is unchanged, and the lines of both are in the program itself.
    assert_eq!(place(&session.stop(0)).0, "main");
    let warned = session.all(0).iter().any(|event| {
        matches!(event, rankscope::model::Event::Message(_, text)
            if text.contains("program-forms_part.dwo, which has debug information"))
    });
    assert!(warned, "{:#?}", session.all(0));
    assert!(session.breakpoint(0, 1, &format!("forms_part.cpp:{}", line_of("depth +="))) > 0);
}

#[test]
fn compressed_sections() {
    for (form, section) in [("zlib", ".debug_info"), ("zlib-gnu", ".zdebug_info"), ("zstd", ".debug_info")] {
        let shop = Shop::new();
        let plain = shop.plain();
        shop.run(&format!("objcopy --compress-debug-sections={form} plain packed"));
        let packed = shop.path("packed");
        assert!(has_section(&packed, section));
        assert!(packed.metadata().unwrap().len() < plain.metadata().unwrap().len());
        judge(&packed, &packed);
    }
}

#[test]
fn separated_files() {
    let shop = Shop::new();
    shop.plain();
    std::fs::create_dir(shop.path(".debug")).unwrap();
    for (file, compress) in [("plain.debug", ""), (".debug/plain.debug", "--compress-debug-sections=zlib")] {
        shop.run(&format!("objcopy --only-keep-debug {compress} plain {file}"));
        shop.run("cp --remove-destination plain stripped");
        shop.run("strip stripped");
        shop.run(&format!("objcopy --add-gnu-debuglink={file} stripped"));
        let stripped = shop.path("stripped");
        assert!(!has_section(&stripped, ".debug_info"));
        judge(&stripped, &stripped);
        std::fs::remove_file(shop.path(file)).unwrap();
    }
}

#[test]
fn information_that_dwz_has_made_smaller() {
    let shop = Shop::new();
    shop.plain();
    shop.run("dwz -L none -l none plain -o smaller");
    let smaller = shop.path("smaller");
    assert!(smaller.metadata().unwrap().len() < shop.path("plain").metadata().unwrap().len());
    judge(&smaller, &smaller);
}

#[test]
fn information_that_programs_share() {
    let shop = Shop::new();
    shop.plain();
    for name in ["one", "two"] {
        shop.run(&format!("cp plain {name}"));
    }
    shop.run("dwz -m common.debug one two");
    for name in ["one", "two"] {
        let program = shop.path(name);
        assert!(has_section(&program, ".gnu_debugaltlink"));
        judge(&program, &program);
    }
}

#[test]
fn shared_information_of_a_separated_file() {
    let shop = Shop::new();
    shop.plain();
    for name in ["one", "two"] {
        shop.run(&format!("objcopy --only-keep-debug plain {name}.debug"));
        shop.run(&format!("cp plain {name}"));
        shop.run(&format!("strip {name}"));
    }
    shop.run("dwz -m common.debug one.debug two.debug");
    for name in ["one", "two"] {
        shop.run(&format!("objcopy --add-gnu-debuglink={name}.debug {name}"));
        judge(&shop.path(name), &shop.path(name));
    }
}

#[test]
fn indexes_that_a_file_has_of_its_own() {
    for (options, make) in [("-g", "gdb-add-index"), ("-gdwarf-5", "gdb-add-index -dwarf-5")] {
        let shop = Shop::new();
        let program = shop.build("g++", options, "program");
        shop.run(&format!("{make} program"));
        assert!(has_section(&program, if make.contains('5') { ".debug_names" } else { ".gdb_index" }));
        judge(&program, &program);
    }
    for options in ["-ggnu-pubnames -fuse-ld=lld -Wl,--gdb-index", "-gsplit-dwarf -fuse-ld=lld -Wl,--gdb-index"] {
        let shop = Shop::new();
        let program = shop.build("g++", options, "program");
        assert!(has_section(&program, ".gdb_index"));
        judge(&program, &program);
    }
}

#[test]
fn what_clang_makes() {
    for options in ["-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gpubnames -fdebug-types-section", "-gdwarf-5 -fuse-ld=lld"] {
        let shop = Shop::new();
        let program = shop.build("clang++", options, "program");
        judge(&program, &program);
    }
}

#[test]
fn what_clang_splits() {
    for options in ["-gdwarf-4", "-gdwarf-5"] {
        let shop = Shop::new();
        // gdb 13 crashes on this compiler's split units of version 5.
        let plain = shop.build("clang++", options, "plain");
        let program = shop.build("clang++", &format!("{options} -gsplit-dwarf"), "program");
        judge(&plain, &program);
        shop.run("llvm-dwp -e program -o program.dwp");
        for unit in ["forms", "forms_part"] {
            std::fs::remove_file(shop.path(&format!("program-{unit}.dwo"))).unwrap();
        }
        judge(&plain, &program);
    }
}

#[test]
fn names_alone_in_a_stripped_program() {
    let shop = Shop::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/walk.c");
    shop.run(&format!("gcc -g -O0 {} -o plain", source.display()));
    // As distributions do: a packed section with the symbols missing from the dynamic ones.
    shop.run(
        "objcopy -S --remove-section=.comment --keep-symbol=main --keep-symbol=depth --keep-symbol=half plain mini",
    );
    shop.run("xz mini");
    shop.run("cp plain named");
    shop.run("strip named");
    shop.run("objcopy --add-section=.gnu_debugdata=mini.xz named");
    let named = shop.path("named");
    assert!(!has_section(&named, ".symtab"));
    let mut session = Session::launch(&named, 1);
    session.stop(0);
    assert_eq!(session.breakpoint(0, 1, "half"), 1);
    session.go(0);
    assert_eq!(place(&session.stop(0)).0, "half");
    let mut judge = crate::judge::Judge::new(&named, &[]);
    judge.ask("-break-insert half");
    judge.run("-exec-run");
    let theirs = judge.command("backtrace").unwrap();
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
    else {
        panic!("no stack");
    };
    let ours: Vec<_> = frames.iter().map(|frame| frame.function.as_deref().unwrap_or("??")).collect();
    let theirs: Vec<_> = theirs.lines().filter_map(|line| line.split_once(" in ")?.1.split(' ').next()).collect();
    assert!(theirs.len() >= 2);
    assert_eq!(ours, theirs);
}
