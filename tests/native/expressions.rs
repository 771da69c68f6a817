//! Expressions, with gdb as the judge.

use crate::beside_gdb::Beside;
use crate::driver::{Built, build, line_of};

const SOURCE: &str = include_str!("../programs/expressions.c");

fn at_the_deepest(program: &Built) -> Beside {
    Beside::at(&program.path, &format!("program.c:{}", line_of(SOURCE, "/* deepest */")))
}

#[test]
fn values_can_be_named_again() {
    let program = build(SOURCE, &[]);
    let mut beside = at_the_deepest(&program);
    beside.print(&[
        "$",
        "$$",
        "$$3",
        "$1",
        "$nosuch",
        "$nosuch + 1",
        "numbers",
        "$",
        "$[2]",
        "&$[2]",
        "*$1@2",
        "corner",
    ]);
    beside.print(&[
        "$.x",
        "$$2.y",
        "&$$3",
        "$$2",
        "$99",
        "$$99",
        "$ = 3",
        "$$$",
        "$1x",
        "counter",
        "counter = 12",
        "$$2",
    ]);
    beside.print(&["counter", "$", "$$1 + $", "counter = 3", "level", "$v = numbers", "$v[2]", "*$v@3", "$p = corner"]);
    beside.print(&[
        "$p.x = 77",
        "$p",
        "&$p",
        "&$p.x",
        "$p.x + 1",
        "corner",
        "$n = 5",
        "$n++",
        "$n",
        "++$n",
        "$n += 2.5",
        "$n",
    ]);
    beside.print(&[
        "$n = \"abc\"",
        "$n",
        "$n[1]",
        "$s = text",
        "$s",
        "*$s",
        "packed",
        "$.bits",
        "packed.bits",
        "$ + 1",
        "$p = packed",
    ]);
    beside.print(&[
        "$p.bits",
        "$p.more = 2",
        "$p",
        "$rip",
        "$sp == $rsp",
        "$_",
        "$__",
        "$_exitcode",
        "$_thread",
        "$_inferior",
    ]);
    beside.print(&[
        "$_gthread",
        "$bpnum",
        "$f = add",
        "$f",
        "$e = paint",
        "$e",
        "$",
        "$v = $p",
        "$v",
        "nothing",
        "$",
        "paint",
        "$ + 1",
    ]);
    beside.whatis(&["$", "$v", "$n", "$nosuch", "$p", "$$2", "$n = 3", "$w"]);
    beside.judge();
}

#[test]
fn names_of_other_scopes() {
    let program = build(SOURCE, &[]);
    let mut beside = at_the_deepest(&program);
    beside.print(&[
        "scaled::factor",
        "scaled::local",
        "scaled::nosuch",
        "outer::argument",
        "outer::ratio",
        "outer::counter",
    ]);
    beside.print(&[
        "outer::corner.x",
        "inner::level",
        "main::value",
        "'program.c'::counter",
        "'program.c'::hidden",
        "::counter",
    ]);
    beside.print(&["'hidden'", "&scaled::factor", "'program.c'::inner", "&add", "*add", "&*add", "add"]);
    beside.print(&["scaled::factor + 1", "scaled::factor = 9", "scaled::factor", "'outer'::ratio", "nosuch::x"]);
    beside.whatis(&["scaled::factor", "outer::ratio", "&scaled::factor", "::counter"]);
    beside.select_frame(1);
    beside.print(&["inner::level", "level", "counter"]);
    beside.select_frame(3);
    beside.print(&[
        "outer::argument",
        "counter",
        "::counter",
        "outer::counter",
        "'program.c'::counter",
        "ratio",
        "'program.c'::ratio",
    ]);
    beside.judge();
}

#[test]
fn casts_arrays_and_operators() {
    let program = build(SOURCE, &[]);
    let mut beside = at_the_deepest(&program);
    beside.print(&[
        "*numbers@3",
        "numbers[2]@3",
        "*third@2",
        "third[-1]",
        "grid[1]",
        "*grid@2",
        "grid[1]@2",
        "corners[0]@2",
    ]);
    beside.print(&[
        "*corners@2",
        "(char)counter",
        "(unsigned char)300",
        "(struct point *)&corner",
        "*(struct point *)&corners[1]",
    ]);
    beside.print(&[
        "((struct point *)&corners[1])->y",
        "(long)third == (long)(numbers + 3)",
        "(enum color)5",
        "(enum color)7",
    ]);
    beside.print(&[
        "(record *)&packed",
        "*(record *)&packed",
        "(table *)numbers",
        "*(table *)numbers",
        "(float)1/3",
        "(double)1/3",
    ]);
    beside.print(&["(char [4])counter", "(void *)third == third", "(union number)either", "(short)70000"]);
    beside.print(&[
        "sizeof(struct wide)",
        "sizeof(int [5])",
        "sizeof(record)",
        "sizeof(struct point *)",
        "sizeof corner",
        "sizeof(table)",
    ]);
    beside.print(&[
        "sizeof(unsigned long)",
        "sizeof(nosuch)",
        "sizeof(int (*)(int))",
        "(int (*)(int, int))chosen",
        "*chosen",
    ]);
    beside.print(&[
        "1, 2",
        "counter ? 5 : 6",
        "counter == 3 ? text : buffer",
        "!counter",
        "counter = 5, counter + 1",
        "counter++",
    ]);
    beside.print(&[
        "counter",
        "++counter",
        "counter--",
        "counter -= 2",
        "counter <<= 2",
        "counter |= 1",
        "third++",
        "*third",
        "third -= 1",
    ]);
    beside.print(&[
        "{int} &counter",
        "{struct point} &corners[1]",
        "{char} text",
        "numbers == third",
        "third - numbers",
        "&numbers[3] == third",
    ]);
    beside.print(&[
        "paint == GREEN",
        "paint + 1",
        "(int)paint",
        "BLUE",
        "RED | BLUE",
        "either.whole",
        "&packed.s",
        "&packed.bits",
        "packed.more",
    ]);
    beside.print(&[
        "numbers[100000000]",
        "*nothing",
        "text[2]",
        "*text@3",
        "buffer",
        "&buffer",
        "*buffer@3",
        "(long)text[0]",
        "text == 0",
    ]);
    beside.print(&[
        "corner == corners[0]",
        "corner = corners[1]",
        "corner",
        "corner.x = 3",
        "3 = corner",
        "add = 3",
        "numbers = 3",
        "1 +",
        "(struct nosuch *)0",
    ]);
    beside.whatis(&["(char)counter", "numbers[1]@2", "*third@2", "(struct point *)0", "sizeof(int)", "'a'", "\"abc\""]);
    beside.judge();
}

#[test]
fn slices_of_arrays_and_pointers() {
    let program = build(SOURCE, &[]);
    let mut beside = at_the_deepest(&program);
    for (ours, same) in [
        ("numbers[2:4]", "numbers[2]@3"),
        ("third[-1:1]", "third[-1]@3"),
        ("corners[1:1]", "corners[1]@1"),
        ("grid[0:1]", "grid[0]@2"),
    ] {
        let expected = beside.ours(same);
        assert!(expected.starts_with('{'), "{expected}");
        assert_eq!(beside.ours(ours), expected, "{ours}");
    }
    assert_eq!(beside.ours("numbers[4:2]"), "array or string index out of range");
    assert_eq!(beside.ours("numbers[1.5:2]"), "The bounds of a slice must be integers.");
}

/// Questions that need no process are answered after its end: history, exit code, types, and variables in the file.
#[test]
fn expressions_of_a_program_that_has_ended() {
    let program = build(SOURCE, &[]);
    let mut beside = at_the_deepest(&program);
    beside.print(&["counter = 40", "$n = counter"]);
    beside.end();
    beside.print(&["$_exitcode", "$_exitcode + 1", "$1", "$", "$n", "$n * 2", "1 + 2", "counter", "&counter", "add"]);
    beside.print(&["sizeof(struct point)", "corner", "level", "$pc", "$sp", "*(int *)0", "nosuch"]);
    beside.whatis(&["counter", "&add", "(struct point *)0"]);
    beside.ptype(&["struct point"]);
    beside.judge();
}

const WIDE: &str = "typedef unsigned __int128 wide;
struct parts { wide whole; __int128 low : 100; };
static wide twice(wide x) { return 2 * x; }
int main(void) {
    wide big = ((wide)0x8123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
    __int128 negative = -(__int128)1 << 100;
    struct parts parts = { big, -3 };
    return twice(big) == 0 || negative > 0 || parts.low > 0; /* stop */
}
";

/// gdb refuses most of this, and loses a function's return value.
#[test]
fn numbers_of_128_bits_keep_their_bits() {
    let program = build(WIDE, &["-g", "-O0", "-w"]);
    let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(WIDE, "/* stop */")));
    beside.print(&["big", "negative", "parts.whole", "$kept = big", "$kept", "&parts.whole == 0", "sizeof(big)"]);
    for (expression, expected) in [
        ("parts", "{whole = 171653549535673402679019659085567242768, low = -3}"),
        ("parts.low", "-3"),
        ("(double)big", "1.7165354953567341e+38"),
        ("(unsigned __int128)negative", "340282365653287863235145205935065006080"),
        ("twice(big)", "3024732150408341894664710739366274080"),
    ] {
        assert_eq!(beside.ours(expression), expected, "{expression}");
    }
    beside.judge();
}

const LONG: &str = "#include <stdio.h>
int main(void) {
    __float128 third = 1.0Q / 3, large = 1e4000Q, small = 1e-4000Q;
    long double tenth = 0.1L;
    puts(third > large ? \"\" : small > tenth ? \"\" : \"so\"); /* stop */
    return 0;
}
";

#[test]
fn real_numbers_of_128_bits_keep_their_bits() {
    let program = build(LONG, &["-g", "-O0", "-w"]);
    let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(LONG, "/* stop */")));
    beside.print(&[
        "third",
        "third + 0",
        "third * 3",
        "third / 7",
        "-third",
        "third - tenth",
        "large + 0",
        "large / tenth",
        "small + 0",
        "third == third",
        "third < tenth",
        "(double)third",
        "(float)third",
        "(long double)third",
        "third + 0.25",
        "third * 1e-5L",
        "(int)(third * 100)",
    ]);
    beside.judge();
}
