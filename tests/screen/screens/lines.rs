//! The prompt as users of gdb and readline know it: repeating, searching the history, deleting and inserting, blocks.

use super::*;

fn line(driver: &Driver) -> String {
    driver.text().lines().last().unwrap().trim_end().to_owned()
}

fn status(driver: &Driver) -> String {
    driver.text().lines().rev().nth(1).unwrap().trim_end().to_owned()
}

#[test]
fn enter_on_an_empty_line_repeats_the_command_before_it() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.keys(":");
    assert_eq!(line(&driver), ":", "the breakpoint is not set again");
    let stops = |driver: &Driver| driver.state().lead_moves;
    driver.keys("enter");
    let before = stops(&driver);
    driver.command("next");
    driver.until("the step to end", |state| state.ranks.stopped().len() == 4 && state.lead_moves >= before + 2);
    driver.keys(":");
    assert_eq!(line(&driver), ":next   enter repeats it");
    assert_snapshot!("repeating_80x24", driver.text());
    let before = stops(&driver);
    driver.keys("enter");
    driver.until("the step to end", |state| state.ranks.stopped().len() == 4 && state.lead_moves >= before + 2);
    // The suggestion is accepted and edited like any other.
    driver.keys(":").keys("right");
    assert_eq!(line(&driver), ":next");
    driver.keys("esc");
    // Where enter has no meaning of its own, it says what to press.
    driver.keys("2 enter");
    assert!(driver.text().contains("enter is not bound here; : enter repeats \"next\""), "{}", driver.text());
}

#[test]
fn list_goes_on_and_what_could_lose_something_is_not_repeated() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.command("list 10,14").keys(":");
    assert_eq!(line(&driver), ":list   enter repeats it");
    let before = driver.app.view.source.list.cursor;
    driver.keys("enter");
    assert!(driver.app.view.source.list.cursor > before);
    driver.command("x/2xw &n").keys("esc :");
    assert_eq!(line(&driver), ":x/2xw   enter repeats it");
    driver.keys("esc").command("delete 1").keys(":");
    assert_eq!(line(&driver), ":");
    driver.keys("enter");
    assert!(status(&driver).contains("enter does not repeat \"delete 1\""), "{}", driver.text());
}

#[test]
fn the_history_is_searched_as_the_text_is_typed() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.command("print n").command("print n + 1").command("next");
    driver.keys(":").typed("abc").keys("ctrl-r").typed("int");
    assert_eq!(line(&driver), "(history) int: print n + 1");
    assert_snapshot!("history_search_80x24", driver.text());
    driver.keys("ctrl-r");
    assert_eq!(line(&driver), "(history) int: print n");
    driver.keys("ctrl-r");
    assert_eq!(line(&driver), "(no more history) int: print n");
    driver.keys("ctrl-s");
    assert_eq!(line(&driver), "(history) int: print n + 1");
    driver.keys("backspace").typed("zz");
    assert_eq!(line(&driver), "(no more history) inzz: print n + 1");
    driver.keys("ctrl-g");
    assert_eq!(line(&driver), ":abc", "the line before the search is back");
    // An arrow takes what was found, to edit it; escape restores, and then cancels.
    driver.keys("ctrl-u ctrl-r").typed("n +").keys("end").typed("0");
    assert_eq!(line(&driver), ":print n + 10");
    driver.keys("ctrl-r").typed("next").keys("esc");
    assert_eq!(line(&driver), ":print n + 10");
    driver.keys("esc : ctrl-r ctrl-r");
    assert_eq!(line(&driver), "(history) next: next", "the text of the search before");
    driver.keys("esc esc : ctrl-r").typed("+ 1").keys("enter");
    assert!(driver.text().contains("n + 1 = 17"), "{}", driver.text());
    assert_eq!(driver.app.history.lines().last().map(String::as_str), Some("print n + 1"));
}

#[test]
fn what_was_deleted_is_inserted_again() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.keys(":").typed("print alpha beta").keys("ctrl-w ctrl-w");
    assert_eq!(line(&driver), ":print");
    driver.keys("ctrl-y");
    assert_eq!(line(&driver), ":print alpha beta");
    driver.keys("home alt-d ctrl-e ctrl-y");
    assert_eq!(line(&driver), ": alpha betaprint");
    driver.keys("ctrl-t");
    assert_eq!(line(&driver), ": alpha betapritn");
    driver.keys("ctrl-l");
    assert_eq!(driver.outside, [Effect::Redraw]);
    driver.keys("ctrl-u").typed("x").keys("ctrl-y");
    assert_eq!(line(&driver), ":x alpha betapritn");
}

#[test]
fn a_tab_completes_as_far_as_the_candidates_agree_and_then_one_by_one() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.command("help breakpoints").keys("esc :").typed("break ker").keys("tab");
    assert_eq!(line(&driver), ":break kernel");
    driver.keys("tab tab");
    assert_eq!(line(&driver), ":break kernel", "one location");
    driver.keys("ctrl-u").typed("br").keys("tab");
    assert_eq!(line(&driver), ":break");
    driver.keys("tab tab");
    assert_eq!(line(&driver), ":breakpoints");
    driver.keys("ctrl-u").typed("help brea").keys("tab");
    assert_eq!(line(&driver), ":help break", "no suggestion of the history behind what was completed");
}

#[test]
fn breakpoints_that_exist_and_files_are_completed() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.command("break main").keys("esc").command("delete 9 10").keys("esc :").typed("delete ").keys("tab");
    assert_eq!(line(&driver), ":delete");
    let shown = driver.text();
    let rows: Vec<&str> = shown.lines().rev().skip(2).take(3).map(str::trim).collect();
    assert_eq!(rows, ["display", "2", "1"], "{shown}");
    driver.keys("ctrl-u").typed("delete 1 3").keys("ctrl-u");
    let place = tempfile::tempdir().unwrap();
    for name in ["checks.gdb", "other"] {
        fs::write(place.path().join(name), "").unwrap();
    }
    let path = place.path().display();
    driver.typed(&format!("source {path}/ch")).keys("tab");
    assert_eq!(line(&driver), format!(":source {path}/checks.gdb"));
}

#[test]
fn a_block_shows_its_lines_and_its_depth_while_it_is_typed() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.keys(":").typed("commands 1").keys("enter");
    for typed in ["silent", "if n > 3"] {
        driver.typed(typed).keys("enter");
    }
    driver.typed("print n");
    assert_eq!(line(&driver), ">>print n");
    assert_snapshot!("block_80x24", driver.text());
    driver.keys("enter").typed("end").keys("enter");
    assert_eq!(line(&driver), ">");
    driver.keys("ctrl-c");
    assert!(status(&driver).contains("dropped \"commands 1\" and its 4 lines"), "{}", driver.text());
    assert!(driver.state().scripts.commands.is_empty());
}

#[test]
fn all_lines_that_the_commands_of_a_breakpoint_print_can_be_found() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.keys(":").typed("commands 1").keys("enter");
    for typed in ["printf \"one\\n\"", "printf \"two\\n\"", "printf \"three\\n\"", "end"] {
        driver.typed(typed).keys("enter");
    }
    driver.go("c");
    driver.until("the commands to end", |state| state.busy == 0);
    assert!(status(&driver).contains("3 lines, 9 shows all: [0-3] three"), "{}", driver.text());
    driver.keys("9");
    for word in ["one", "two", "three"] {
        assert!(driver.text().contains(word), "{word}: {}", driver.text());
    }
}
