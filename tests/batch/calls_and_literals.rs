//! Calls of Fortran procedures, values in braces, and assignments to registers print what gdb prints.

use super::gdb_data::ours;

/// The values that an engine prints at a place, without the expressions before them.
fn values(program: &std::path::Path, engine: &str, stop: &str, questions: &[&str]) -> Vec<String> {
    let answers = ours(program, engine, &[stop, "go", "wait"], questions);
    let bare = |(question, answer): (&&str, &String)| {
        // The expression may contain the sign behind it.
        let asked = question.split_once(' ').map_or("", |(_, expression)| expression);
        let answer = answer.trim_end();
        let value = answer.strip_prefix(asked).and_then(|rest| rest.strip_prefix(" = "));
        value.unwrap_or_else(|| crate::support::gdb::printed(answer)).to_owned()
    };
    questions.iter().zip(&answers).map(bare).collect()
}

#[track_caller]
fn as_gdb(program: &std::path::Path, stop: &str, questions: &[&str]) {
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(program, &[], &[stop, "run"], &spoken);
    for engine in ["native", "gdb"] {
        let ours = values(program, engine, stop, questions);
        for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, crate::support::gdb::printed(theirs.trim_end()), "{engine}: {question}");
        }
    }
}

fn procedures() -> (std::path::PathBuf, String) {
    let program = crate::support::build::build("gfortran", "called_by_address.f90", &["-g", "-O0"]);
    let source = include_str!("../programs/called_by_address.f90");
    let line = source.lines().position(|line| line.contains("print *, twice(i)")).unwrap() + 1;
    (program, format!("break called_by_address.f90:{line}"))
}

#[test]
fn fortran_procedures_receive_addresses_as_in_gdb() {
    let (program, stop) = procedures();
    let questions = [
        "print twice(i)",
        "print twice(21)",
        "print twice(i + 1)",
        "print area(w, 2.0d0)",
        "print opt(1, 2)",
        "print opt(1, i)",
        "print total(arr, 3)",
        "print yes(l)",
        "print ptr(p)",
        "print cmplx(1, 2)",
        "print cmplx(1.5d0, 2, 8)",
        "print cmplx(z)",
        "whatis cmplx(1)",
    ];
    as_gdb(&program, &stop, &questions);
}

/// gdb converts no argument, and wants the hidden lengths of texts.
#[test]
fn fortran_arguments_are_converted_and_have_their_hidden_lengths() {
    let (program, stop) = procedures();
    let expected = [
        ("print area(w, 2)", "5"),
        ("print byval(1)", "101"),
        ("print byval(i)", "104"),
        ("print length(text)", "6104"),
        ("print length('xyz')", "3120"),
        ("print fixed('abcd', 1)", "101"),
        ("print apply(twice, 3)", "6"),
        ("print conj2(z)", "(1,-2)"),
        ("print i", "4"),
    ];
    let questions = expected.map(|(question, _)| question);
    let answers = values(&program, "native", &stop, &questions);
    for ((question, expected), answer) in expected.iter().zip(&answers) {
        assert_eq!(answer, expected, "{question}");
    }
}

#[test]
fn what_a_fortran_call_cannot_pass_is_refused_with_the_reason() {
    let (program, stop) = procedures();
    let expected = [
        ("print assumed(arr)", "cannot call assumed: its argument a is an array with a descriptor"),
        ("print grown(2)", "cannot call grown: its result is an array or a text"),
        ("print name_of(1)", "cannot call name_of: its result is an array or a text"),
        ("print twice(arr)", "cannot call twice: argument 1 must be integer(kind=4)."),
        ("print opt(1)", "Too few arguments in function call."),
        ("print twice(1, 2)", "Too many arguments in function call."),
    ];
    let script: String = expected.iter().map(|(question, _)| format!("{question}\n")).collect();
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "1", program.to_str().unwrap()];
    let outcome = crate::support::batch::Place::new().run(&arguments, &format!("{stop}\ngo\nwait\n{script}"));
    for (question, why) in expected {
        assert!(outcome.text.contains(why), "{question}: {}", outcome.text);
    }
}

#[test]
fn a_fortran_subroutine_changes_its_argument() {
    let (program, stop) = procedures();
    let answers = ours(&program, "native", &[&stop, "go", "wait"], &["call fill(i)", "print i", "call nothing()"]);
    assert!(answers[1].trim_end().ends_with("= 5"), "{answers:?}");
}

const BRACES: &str = "break cell_of";

#[test]
fn values_in_braces_are_arrays_and_structures_as_in_gdb() {
    let program = crate::support::build::plain("braced.c");
    let questions = [
        "print {1,2,3}",
        "whatis {1,2,3}",
        "print sizeof({1,2})",
        "print arr = {1,2,3,4,5}",
        "print arr",
        "print arr = {5,4}",
        "print dd = {1,2}",
        "print p = {4,5,6.5}",
        "print p = {4}",
        "print p",
        "print (struct pt){1,2,3.5}",
        "print (int[3]){1,2,3}",
        "print ps = {{1,2,3},{4,5,6}}",
        "print m = {{1,2},{3,4}}",
        "print {{1,2},{3,4}}",
        "print sh = {1,2,3}",
        "print {int} &x",
        "print {int[3]} arr",
        "print {int[3]} ip",
        "print {1,2}[1]",
        "print {x,x}",
        "print buf = \"abc\"",
        "print buf = {'a','b'}",
    ];
    as_gdb(&program, BRACES, &questions);
}

#[test]
fn an_assignment_to_a_register_has_the_new_value() {
    let program = crate::support::build::plain("braced.c");
    let questions =
        ["print $rax = 5", "print $eax = 6", "print $al = 7", "print $rbx = 8", "print $xmm0.v4_int32[0] = 1"];
    as_gdb(&program, BRACES, &questions);
}

#[test]
fn print_alone_shows_the_last_value_again() {
    let program = crate::support::build::plain("braced.c");
    for engine in ["native", "gdb"] {
        // Each question follows a mark, which prints 10001.
        let answers = ours(&program, engine, &[BRACES, "go", "wait"], &["print", "print/x", "p"]);
        let values: Vec<&str> = answers.iter().filter_map(|answer| answer.trim_end().strip_prefix("$ = ")).collect();
        assert_eq!(values, ["10001", "0x2711", "10001"], "{engine}");
    }
}

#[test]
fn a_condition_that_calls_a_function_is_refused_when_it_is_set() {
    let program = crate::support::build::plain("braced.c");
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "2", program.to_str().unwrap()];
    let script = "break square if cell_of(v) > 0\nbreak cell_of\ncondition 1 square(v) > 3\n";
    let outcome = crate::support::batch::Place::new().run(&arguments, script);
    for name in ["cell_of", "square"] {
        let why = format!("a condition cannot call {name}: only print, set and rank sets call functions");
        assert!(outcome.text.contains(&why), "{}", outcome.text);
    }
}
