//! Settings and commands that scripts of gdb begin with.

use crate::support::batch::{Outcome, Place};

#[track_caller]
fn run(place: &Place, script: &str, status: i32) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    place.run(&arguments, script).expect(status)
}

#[test]
fn logging_is_set_as_in_gdb() {
    let place = Place::new();
    let (first, second) = (place.path().join("first.txt"), place.path().join("second.txt"));
    let script = format!(
        "set logging overwrite off\nset logging file {}\nprint 11\nset logging enabled on\nprint 22\n\
         set logging enabled off\nprint 33\nset logging file {}\nset logging on\nprint 44\nset logging off\nprint 55\n",
        first.display(),
        second.display()
    );
    run(&place, &script, 0);
    let logged = |path| std::fs::read_to_string(path).unwrap();
    assert!(logged(&first).contains("22"), "{}", logged(&first));
    assert!(!logged(&first).contains("11") && !logged(&first).contains("33"), "{}", logged(&first));
    assert!(logged(&second).contains("44") && !logged(&second).contains("55"), "{}", logged(&second));
}

#[test]
fn a_log_replaces_its_file_and_takes_what_is_shown_if_told_so() {
    let place = Place::new();
    let file = place.path().join("log.txt");
    std::fs::write(&file, "old\n").unwrap();
    let script = format!(
        "set logging file {}\nset logging enabled on\nprint 11\nset logging enabled off\nset logging overwrite on\n\
         set logging redirect on\nshow logging\nset logging enabled on\nprint 22\nset logging enabled off\nprint 33\n",
        file.display()
    );
    let outcome = run(&place, &script, 0);
    let logged = std::fs::read_to_string(&file).unwrap();
    assert!(logged.contains("22") && !logged.contains("old") && !logged.contains("11"), "{logged}");
    assert!(outcome.text.contains("11 = 11") && outcome.text.contains("33 = 33"), "{}", outcome.text);
    assert!(!outcome.text.contains("22"), "{}", outcome.text);
    for row in ["logging enabled    off", "logging overwrite  on", "logging redirect   on"] {
        assert!(outcome.text.contains(row), "{row}: {}", outcome.text);
    }
}

#[test]
fn a_stack_is_limited_as_in_gdb() {
    let outcome = run(&Place::new(), "break add\ngo\nwait\nset backtrace limit 1\nwhere\nshow backtrace limit\n", 0);
    assert!(!outcome.text.contains("#1"), "{}", outcome.text);
    assert!(outcome.text.contains("stack-limit  1"), "{}", outcome.text);
    let outcome = run(&Place::new(), "break add\ngo\nwait\nset backtrace limit unlimited\nwhere\n", 0);
    assert!(outcome.text.contains("#2"), "{}", outcome.text);
}

#[test]
fn a_line_can_be_made_of_values() {
    let script = "set $n = $_rank + 1\neval \"echo rank %d has %s\\\\n\", $_rank, words[0]\n\
                  eval \"set $v%d = %d\", 3, 7\nprint $v3\neval \"print 6 * %d\", 7\n";
    let outcome = run(&Place::new(), script, 0);
    for line in ["rank 0 has one", "rank 1 has one", "[0-1] $v3 = 7", "[0-1] 6 * 7 = 42"] {
        assert!(outcome.text.contains(line), "{line}: {}", outcome.text);
    }
}

#[test]
fn a_variable_gets_its_first_value_once() {
    let script = "init-if-undefined $v = 1\nprint $v\ninit-if-undefined $v = 2\nprint $v\n[0] set $w = 5\n\
                  init-if-undefined $w = 6\nprint $w\n";
    let outcome = run(&Place::new(), script, 0);
    assert_eq!(outcome.text.matches("[0-1] $v = 1").count(), 2, "{}", outcome.text);
    assert!(outcome.text.contains("[0] $w = 5") && outcome.text.contains("[1] $w = 6"), "{}", outcome.text);
    let outcome = run(&Place::new(), "init-if-undefined v = 1\n", 1);
    assert!(outcome.text.contains("$NAME = EXPRESSION"), "{}", outcome.text);
}

#[test]
fn output_shows_a_value_or_chooses_ranks() {
    let script = "define shown\necho The second of \noutput table\necho \\ is \\\noutput table[1]\necho .\\n\nend\nshown\n\
                  output/x 255\noutput 0\noutput all\noutput words[0]\noutput handled\n";
    let outcome = run(&Place::new(), script, 0);
    for line in ["{1, 2, 3, 4, 5, 6, 7, 8} is 2.", "0xff", "\"one\"", "[0-1] 0"] {
        assert!(outcome.text.contains(line), "{line}: {}", outcome.text);
    }
    let outcome = run(&Place::new(), "output nosuch\n", 1);
    assert!(outcome.text.contains("No symbol \"nosuch\" in current context."), "{}", outcome.text);
    let outcome = run(&Place::new(), "output 0-3,x\n", 1);
    assert!(!outcome.text.contains("No symbol"), "a set with a fault: {}", outcome.text);
}

#[test]
fn defined_commands_are_shown() {
    let script =
        "define twice\nprint 2 * $arg0\nend\ndocument twice\nDoubles a number.\nend\nshow user\nshow user twice\n";
    let outcome = run(&Place::new(), script, 0);
    assert_eq!(outcome.text.matches("print 2 * $arg0").count(), 2, "{}", outcome.text);
    assert_eq!(outcome.text.matches("Doubles a number.").count(), 2, "{}", outcome.text);
    let outcome = run(&Place::new(), "show user nosuch\n", 1);
    assert!(outcome.text.contains("no command \"nosuch\" is defined"), "{}", outcome.text);
}

#[test]
fn lines_are_completed_for_other_programs() {
    let outcome = run(&Place::new(), "complete info inf\ncomplete pri\ndont-repeat\n", 0);
    for line in ["info inferiors", "print", "printf"] {
        assert!(outcome.text.lines().any(|found| found.trim() == line), "{line}: {}", outcome.text);
    }
}

#[test]
fn states_and_files_are_shown_by_their_names_in_gdb() {
    let outcome = run(&Place::new(), "info inferiors\ninfo files\n", 0);
    assert!(outcome.text.contains("main at habits.c") && outcome.text.contains("libc.so"), "{}", outcome.text);
}

#[test]
fn what_is_not_here_says_what_to_type() {
    for (line, words) in [
        ("set exec-wrapper env X=1", "rankscope run WRAPPER PROGRAM"),
        ("define-prefix a", "define NAME"),
        ("show values", "print $3"),
        ("show convenience", "print $NAME"),
        ("info win", "shows its keys"),
        ("path /x", "set environment PATH"),
    ] {
        let outcome = run(&Place::new(), &format!("{line}\n"), 1);
        assert!(outcome.text.contains(words), "{line}: {}", outcome.text);
    }
}
