//! What users of gdb have in their `.gdbinit` does not end a script.

use crate::support::batch::{Outcome, Place};

#[track_caller]
fn run(script: &str, more: &[&str], status: i32) -> Outcome {
    let place = Place::new();
    run_in(&place, script, more, status)
}

#[track_caller]
fn run_in(place: &Place, script: &str, more: &[&str], status: i32) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    let mut arguments = vec!["run", "--timeout", "25", "--batch", "-", "-n", "2"];
    arguments.extend(more);
    arguments.push(program.to_str().unwrap());
    place.run(&arguments, script).expect(status)
}

#[test]
fn settings_of_gdb_without_an_effect_are_noted_once() {
    let place = Place::new();
    let init = place.path().join("init.gdb");
    let lines = "set auto-load safe-path /\nset auto-load safe-path /usr\nadd-auto-load-safe-path /\n\
                 set history size 1000\nset history save on\nset history filename ~/.h\nset pagination on\n\
                 set prompt \\033[1m=> \nset height 30\nset height 30\nset non-stop on\nset print type methods off\n\
                 maintenance set dwarf max-cache-age 100\nmacro define N 3\nset debuginfod urls x\n\
                 set disassembly-flavor intel\nhandle SIGALRM nostop noprint\nskip -gfi /usr/include/c++/*/*\n\
                 set confirm off\nset print pretty on\nlayout src\nfile ./a.out\nshow history size\n";
    std::fs::write(&init, lines).unwrap();
    let outcome = run_in(&place, &format!("source {}\nprint 6 * 7\nshow print pretty\n", init.display()), &[], 0);
    for (words, times) in [
        ("ignored: set auto-load: rankscope loads no scripts", 1),
        ("ignored: add-auto-load-safe-path", 1),
        ("ignored: set history: the full screen", 1),
        ("ignored: set pagination on: output is never paged", 1),
        ("ignored: set prompt", 1),
        ("ignored: set height 30", 1),
        ("ignored: set non-stop on: all threads of a rank stop together", 1),
        ("ignored: set print type", 1),
        ("ignored: maintenance", 1),
        ("ignored: macro", 1),
        ("ignored: layout", 1),
        ("ignored: file", 1),
        ("ignored: show history size", 1),
        ("= 42", 1),
        ("print-pretty  on", 1),
        ("error", 0),
    ] {
        assert_eq!(outcome.text.matches(words).count(), times, "{words}: {}", outcome.text);
    }
}

#[test]
fn python_is_ignored_with_the_commands_that_it_would_define() {
    let script = "python\nimport gdb\nif True:\n    print(\"end\")\nelse: pass\nend\nsource ~/dashboard.py\n\
                  dashboard -layout source\ndashboard -style x\npython print(3)\nif 1\n  py\nwhile True:\n  end\n  print 5\nend\n";
    let outcome = run(script, &[], 0);
    for words in [
        "ignored: python: rankscope runs no Python",
        "ignored: source ~/dashboard.py",
        "ignored: dashboard: no command",
    ] {
        assert_eq!(outcome.text.matches(words).count(), 1, "{words}: {}", outcome.text);
    }
    assert!(outcome.text.contains("5 = 5"), "{}", outcome.text);
    let outcome = run("dashboard -layout source\nprint 1\n", &[], 1);
    assert!(outcome.text.contains("unknown command \"dashboard\""), "no Python was ignored: {}", outcome.text);
}

#[test]
fn a_setting_without_an_effect_cannot_hold_for_one_command() {
    let outcome = run("with language c -- print 1\n", &[], 1);
    assert!(outcome.text.contains("has no effect: expressions use the language"), "{}", outcome.text);
}

#[test]
fn an_if_follows_an_else_and_a_refused_block_does_not_run() {
    let chain = "if $_rank == 7\n  echo seven\\n\nelse if $_rank == 1\n  echo one\\n\nelse\n  printf \"other %d\\n\", $_rank\nend\n";
    let outcome = run(chain, &[], 0);
    assert!(outcome.text.contains("[0] other 0") && outcome.text.contains("one"), "{}", outcome.text);
    assert!(!outcome.text.contains("seven"), "{}", outcome.text);
    let refused = "if 0\n  echo first\\n\nelse while 1\n  echo second\\n\nend\necho last\\n\n";
    let outcome = run(refused, &["--keep-going"], 1);
    let defines = "if 0\n  define f\n    echo first\\n\n  end\n  echo second\\n\nend\necho last\\n\n";
    let second = run(defines, &[], 0);
    assert!(!second.text.contains("\nfirst") && !second.text.contains("\nsecond"), "{}", second.text);
    assert!(second.text.contains("last"), "{}", second.text);
    for words in ["first", "second"] {
        assert!(!outcome.text.contains(&format!("\n{words}")), "{words}: {}", outcome.text);
    }
    assert!(outcome.text.contains("only \"if\" may follow") && outcome.text.contains("last"), "{}", outcome.text);
}
