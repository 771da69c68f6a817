//! Values of Fortran and of the C++ library are opened in the variables view, and their parts have expressions.

use crate::support::build::build;
use crate::support::marks::source;
use crate::support::pty::Terminal;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const SIZE: (u16, u16) = (120, 40);

/// Stops at a line; the variables fill the screen once the last of them is there.
fn variables(program: &Path, place: &str, last: &str) -> Terminal {
    let mut terminal = Terminal::start(RANKSCOPE, &["run", "--", &program.display().to_string()], SIZE);
    terminal.see(&["0S", "started"]).send(&format!(":break {place}\r")).see(&["breakpoint 1"]);
    terminal.send("c").see(&["0B"]).send("4z").see(&[last]);
    terminal
}

/// Opens the value under the cursor, the first of its parts, and so on, once the names of those are there.
fn open(terminal: &mut Terminal, parts: &[&str]) {
    for part in parts {
        let has_row = |text: &str| text.lines().any(|row| row.split_whitespace().any(|word| word == *part));
        terminal.send("\r").until("the first part", has_row).send("j");
    }
}

/// Displays the part under the cursor by its own expression.
fn display(terminal: &mut Terminal, expression: &str, value: &str) {
    terminal.send("w").see(&[&format!(":display {expression}")]).send("\r");
    let row = |text: &str| {
        let words = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let is_its_row = |words: &[String]| words.len() > 3 && words[0] == "◇" && words[2..4] == [expression, value];
        text.lines().any(|row| is_its_row(&words(row)))
    };
    terminal.until("its row", row);
    terminal.send(":undisplay\r").until("its row to go", |text| !row(text));
}

#[test]
fn arrays_and_derived_types_of_fortran_open_as_they_are_indexed() {
    let program = build("gfortran", "sections.f90", &["-g", "-O0"]);
    // The names are there at the first stop already: a key pressed while they are read again would move no cursor.
    let mut terminal = variables(&program, "sections.f90:56", "(((191, 291, 391)");
    terminal.send("ggjjj");
    open(&mut terminal, &["(:,:,1)", "(:,-1,1)", "(2,-1,1)"]);
    display(&mut terminal, "c(2,-1,1)", "191");
    terminal.send("G").send("kkkkk");
    open(&mut terminal, &["(1)", "x"]);
    display(&mut terminal, "points(1)%x", "1");
}

#[test]
fn containers_of_cpp_open() {
    let program = build("g++", "containers.cpp", &["-g", "-O0"]);
    let mut terminal = variables(&program, "use", " text ");
    terminal.send(":display points\r").see(&["std::vector of length 2"]).send("gg");
    open(&mut terminal, &["[0]", "x"]);
    display(&mut terminal, "points[0].x", "1");
    terminal.send(":display shared\r").see(&["std::shared_ptr<Point> (use"]).send("gg");
    open(&mut terminal, &["get()", "x"]);
    display(&mut terminal, "(&*shared)->x", "8");
}

#[test]
fn members_that_are_references_open() {
    let program = build("g++", "referring.cpp", &["-g", "-O0", "-std=c++17"]);
    // The names are there at the first stop already, but not this value.
    let mut terminal = variables(&program, "referring.cpp:107", " 19 ");
    terminal.send("ggjjjjj");
    open(&mut terminal, &["moved"]);
    // Its target has a row of its own, which goes when it is closed.
    terminal.send("\r").see(&[": 3"]).send("\rjjj");
    open(&mut terminal, &["first"]);
    display(&mut terminal, "holder.plain.first", "1");
}

/// Displays an expression above the variables, and moves the cursor to it once it can be opened.
fn show(terminal: &mut Terminal, expression: &str) {
    terminal.send(&format!(":display {expression}\r"));
    let is_its_row = |row: &str| {
        let words: Vec<&str> = row.split_whitespace().take(3).collect();
        matches!(words[..], [sign, number, name] if sign.ends_with('▸') && number.ends_with(':') && name == expression)
    };
    terminal.until("its row", |text| text.lines().any(is_its_row)).send("gg");
}

/// The program with printers of its own beside it, which no other test writes.
fn printed() -> (TempDir, PathBuf) {
    let place = TempDir::new().unwrap();
    let program = place.path().join("own_types");
    std::fs::copy(build("g++", "own_types.cpp", &["-g", "-O0"]), &program).unwrap();
    std::fs::copy(source("own_types-printers.toml"), place.path().join("own_types-printers.toml")).unwrap();
    (place, program)
}

#[test]
fn values_with_a_users_printer_open() {
    let (_place, program) = printed();
    let text = std::fs::read_to_string(source("own_types.cpp")).unwrap();
    let line = text.lines().position(|line| line.contains("stop here")).unwrap() + 1;
    let mut terminal = variables(&program, &format!("own_types.cpp:{line}"), "stack of 3, at most 8");
    // Elements one after another have expressions of their own.
    show(&mut terminal, "stack");
    open(&mut terminal, &["[0]"]);
    display(&mut terminal, "stack[0]", "1");
    // The elements of a list, and the members that the rule of an element names.
    // The eighth variable: as a display, its long value would be shown on a page.
    terminal.send("gg").send("jjjjjjj");
    open(&mut terminal, &["[0]", "price"]);
    terminal.see(&["price", "12.5", "urgent"]);
    show(&mut terminal, "dictionary");
    open(&mut terminal, &["[1]", "[5]", "[9]"]);
}
