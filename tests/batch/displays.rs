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

#[test]
fn ranks_that_go_their_own_ways_have_their_own_displays() {
    let program = build::plain("scripted.c").display().to_string();
    let script = "break last\nrun\nif rank == 1\n  display rank + 10\nelse\n  display -calls\nend\nprint 100\nnext\n\
                  if rank == 2\n  undisplay 2\nend\nprint 200\n[2] display rank + 10\nprint 300\ndisplay\nset $i = rank\n\
                  while $i < 2\n  display rank + 20\n  set $i = $i + 1\nend\nundisplay 1\ndisplay\n";
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "3", &program];
    let text = Place::new().run(&arguments, script).expect(0).text;
    let after = |mark: &str| text.split(mark).nth(1).unwrap_or_else(|| panic!("{text}")).to_owned();
    let told = |part: &str, line: &str| part.lines().any(|known| known == line);
    let stop = after("100 = 100");
    assert!(told(&stop, "[1] 1: rank + 10 @ 1 = 11"), "{text}");
    assert!(told(&stop, "[0,2] 2: -calls @ 0,2 = 4"), "{text}");
    assert!(!stop.contains("[0-2] 1:") && !stop.contains("[0-2] 2:"), "{text}");
    let rest = after("300 = 300");
    assert!(told(&rest, "[0] 2: -calls @ 0 = 4"), "{text}");
    assert!(
        told(&rest, "[0-1] 4: rank + 20 @ 0-1 = 20 [0], 21 [1]") || rest.contains("4: rank + 20 @ 0-1 = "),
        "{text}"
    );
}

#[test]
fn display_alone_leaves_out_those_without_their_variables_as_gdb_does() {
    let way = "break add\ngo\nwait\ndisplay sum\ndisplay table[0]\n";
    // `said` expects no error.
    let text = said(&format!("{way}up\ndisplay\nframe 0\ndisplay\n"));
    let shown: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("[0-1] ")).collect();
    let both = ["1: sum = 0", "2: table[0] = 1"];
    assert_eq!(shown[..2], both, "{text}");
    assert_eq!(shown[3], "2: table[0] = 1", "{text}");
    assert_eq!(shown[shown.len() - 2..], both, "{text}");
}
