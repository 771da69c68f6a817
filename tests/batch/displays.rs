//! Displayed expressions in scripts.

use crate::support::batch::Place;
use crate::support::build;

/// What a script says after its first stop, without what ranks print.
fn said(script: &str) -> String {
    let program = build::plain("habits.c").display().to_string();
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "2", &program];
    let text = Place::new().run(&arguments, script).expect(0).text;
    let lines = text.lines().skip_while(|line| !line.contains("stopped: breakpoint")).skip(1);
    lines.filter(|line| !line.contains("running")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_script_shows_them_after_each_stop_where_their_variables_exist() {
    let way = "break add\ngo\nwait\ndisplay sum\ndisplay table[0]\n";
    let text = said(&format!("{way}next\n[1] finish\n[1] undisplay\n[1] next\n"));
    // `sum` is no variable of the caller.
    let expected = "[0-1] 1: sum = 0\n[0-1] 2: table[0] = 1\n[0-1] stopped: step, add at habits.c:25\n\
                    [0-1] 1: sum = 0\n[0-1] 2: table[0] = 1\n[1] stopped: finished, work at habits.c:34\n\
                    [1] Value returned is $1 = 0\n[1] 2: table[0] = 1\n[1] stopped: step, work at habits.c:33\n";
    assert_eq!(text, expected);
}

#[test]
fn they_come_before_the_commands_of_the_breakpoint_and_not_where_it_is_silent() {
    let way = "break add\ngo\nwait\ndisplay a\nbreak 25\ncommands\n";
    let text = said(&format!("{way}echo here\\n\nend\ngo\nwait\n"));
    let after = text.split("stopped: breakpoint 2").nth(1).unwrap();
    let (display, commands) = (after.find("a = 0").unwrap(), after.find("here").unwrap());
    assert!(display < commands, "{text}");
    let text = said(&format!("{way}silent\necho here\\n\nend\ngo\nwait\n"));
    assert!(text.contains("here"), "{text}");
    assert_eq!(text.matches("a = 0").count(), 1, "{text}");
}
