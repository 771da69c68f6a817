//! What `finish` says of the value returned, with gdb as the judge.

use crate::driver::{Session, build};
use rankscope::model::{Context, Operation, StepKind, StopReason};
use std::process::Command;

const RETURNS: &str = r#"#include <complex.h>
struct small { int a, b; };
struct mixed { double d; long n; };
struct floats { float x, y; double z; };
struct big { long words[5]; };
union either { double d; long n; };
enum mood { CALM, BUSY = 5 };
typedef unsigned short word;
char letter(void) { return 'x'; }
word half(void) { return 65535; }
long negative(void) { return -3; }
float single(void) { return 1.5f; }
double twice(void) { return 2.25; }
long double wide(void) { return 3.5L; }
enum mood mood(void) { return BUSY; }
_Bool truth(void) { return 1; }
struct small small(void) { return (struct small){1, -2}; }
struct mixed mixed(void) { return (struct mixed){0.5, 7}; }
struct floats floats(void) { return (struct floats){1.5f, 2.5f, 3.5}; }
struct big big(void) { return (struct big){{1, 2, 3, 4, 5}}; }
union either either(void) { return (union either){.n = 42}; }
void nothing(void) { }
int main(void)
{
    letter(); half(); negative(); single(); twice(); wide(); mood(); truth();
    small(); mixed(); floats(); big(); either(); nothing();
    return 0;
}
"#;

#[test]
fn returned_values_are_those_gdb_says() {
    let program = build(RETURNS, &[]);
    let names = [
        "letter", "half", "negative", "single", "twice", "wide", "mood", "truth", "small", "mixed", "floats", "big",
        "either", "nothing",
    ];
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx", "-batch", "-ex", "set debuginfod enabled off"]);
    for name in names {
        gdb.args(["-ex", &format!("break {name}")]);
    }
    gdb.args(["-ex", "run"]);
    for _ in names {
        gdb.args(["-ex", "finish", "-ex", "echo @\\n", "-ex", "continue"]);
    }
    let output = gdb.arg(&program.path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut expected = Vec::new();
    for part in text.split('@').take(names.len()) {
        let value = part.lines().find_map(|line| line.strip_prefix("Value returned is $"));
        expected.push(value.map(|value| value.split_once(" = ").unwrap().1.to_owned()));
    }
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    for (id, name) in names.iter().enumerate() {
        session.breakpoint(0, id as u32 + 1, name);
    }
    let mut found = Vec::new();
    for _ in names {
        session.go(0);
        session.stop(0);
        session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
        let stop = session.stop(0);
        assert_eq!(stop.reason, StopReason::Finished);
        found.push(stop.note.map(|note| note.strip_prefix("value returned: ").unwrap().to_owned()));
    }
    assert_eq!(expected.iter().filter(|value| value.is_some()).count(), names.len() - 1, "{text}");
    for ((name, ours), theirs) in names.iter().zip(found).zip(expected) {
        assert_eq!(ours, theirs, "{name}");
    }
}
