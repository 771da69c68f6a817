//! Expressions of C++: classes, methods, overloads. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

const SOURCE: &str = include_str!("../programs/classes.cpp");
const DECLARED: &str = include_str!("../programs/declared.cpp");

fn build() -> (PathBuf, TempDir) {
    compiled(SOURCE, &[])
}

fn compiled(source: &str, options: &[&str]) -> (PathBuf, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("classes.cpp");
    std::fs::write(&file, source).unwrap();
    let program = directory.path().join("program");
    let mut compiler = Command::new("g++");
    compiler.args(["-g", "-O0", "-w"]).args(options).arg(&file).arg("-o").arg(&program);
    assert!(compiler.status().unwrap().success());
    (program, directory)
}

#[test]
fn virtual_base_classes() {
    let (program, _directory) = build();
    let mut beside = Beside::at(&program, &format!("classes.cpp:{}", line_of(SOURCE, "/* stop */")));
    beside.print(&[
        "*pointer",
        "both.id",
        "pointer->id",
        "both.left",
        "both.right",
        "both.own",
        "both.count",
        "Both::count",
        "*base",
        "*named",
        "both.mode",
        "sizeof(Both)",
        "*(Derived*)base",
        "base->b",
        "((Derived*)base)->d",
        "buffer",
        "several",
    ]);
    beside.judge();
}

#[test]
fn methods_overloads_and_operators() {
    let (program, _directory) = build();
    let mut beside = Beside::at(&program, &format!("classes.cpp:{}", line_of(SOURCE, "/* stop */")));
    beside.print(&[
        "both.sum()",
        "both.sum(4)",
        "pointer->sum(1)",
        "base->area()",
        "other.area()",
        "buffer.size()",
        "overloaded(1)",
        "overloaded(2.5)",
        "overloaded(\"a\")",
        "both == both",
        "both + 1",
        "static_cast<Derived*>(base)->d",
        "reinterpret_cast<long>(base) == (long)base",
        "*this",
        "text",
        "'shapes::overloaded(double)'(3.0)",
    ]);
    beside.whatis(&["both", "base", "*base", "overloaded(1.5)", "static_cast<Derived*>(base)"]);
    beside.judge();
}

#[test]
fn members_of_the_object_itself() {
    let (program, _directory) = build();
    let mut beside = Beside::at(&program, &format!("classes.cpp:{}", line_of(SOURCE, "/* inside */")));
    beside.print(&["own", "more", "this->own", "left", "id", "count", "sum()", "own + more", "mode", "*this"]);
    beside.whatis(&["own", "this", "sum()"]);
    beside.judge();
}

/// Access rights, methods, typedefs and names within templates.
#[test]
fn classes_spelled_out() {
    for options in [&[][..], &["-gdwarf-4", "-fdebug-types-section"]] {
        let (program, _directory) = compiled(DECLARED, options);
        let mut beside = Beside::at(&program, &format!("classes.cpp:{}", line_of(DECLARED, "/* stop */")));
        beside.ptype(&[
            "Empty",
            "Plain",
            "WithMethods",
            "AllPrivate",
            "Guarded",
            "*guarded",
            "guarded",
            "Implementation",
            "Mixed",
            "Virtual",
            "only_private",
            "ends_protected",
            "public_method",
            "private_method",
            "either",
            "pack",
            "numbers",
            "texts",
            "nested",
            "values",
            "types",
            "*derived",
            "with_table",
            "usual",
            "caller",
            "operators",
            "qualified",
            "unnamed",
            "tagged",
            "lambda",
            "capturing",
            "local",
            "locals",
            "boxed",
            "reference",
            "Nameless",
            "declared::Types::list",
            "Types::unnamed",
        ]);
        beside.whatis(&["guarded", "*guarded", "numbers", "nested", "boxed", "texts", "types", "WithMethods"]);
        beside.judge();
    }
}
