//! Habits from other tools: keys and typed commands that must not surprise.

use super::{CLASSIC, in_kernel};
use crate::driver::Driver;
use rankscope::ui::effect::Effect;
use rankscope::ui::keys::Chord;
use rankscope::ui::layer::Layer;

const RELAY: &str = concat!("fake:", env!("CARGO_MANIFEST_DIR"), "/tests/programs/relay.c");

fn has_question(driver: &Driver) -> bool {
    matches!(driver.app.view.layers.last(), Some(Layer::Confirm(_)))
}

#[test]
fn a_typed_restart_asks_as_its_key_does() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("restart");
    assert!(driver.text().contains("Kill the job and start all 8 ranks again?"), "{}", driver.text());
    driver.keys("n");
    assert!(!has_question(&driver), "{}", driver.text());
    assert_eq!(driver.state().ranks.stopped().len(), 8, "the ranks are where they were");
    driver.command("restart");
    let yes = Chord::parse("y").unwrap();
    let effects = driver.app.chord(yes, driver.session.now(), driver.session.controller.state());
    assert_eq!(effects, [Effect::Execute("restart".to_owned())]);
}

#[test]
fn a_command_that_is_typed_while_a_question_is_open_does_not_answer_it() {
    let mut driver = in_kernel(CLASSIC, 8);
    // Its letters would move the mark to "yes", and enter would kill the job.
    driver.command("restart").command("tbreak kernel").keys("k j");
    assert!(has_question(&driver) && driver.text().contains("expected y, n, or esc"), "{}", driver.text());
    assert_eq!(driver.state().breakpoints.len(), 2, "the command is carried out");
    driver.keys("enter");
    assert!(!has_question(&driver), "{}", driver.text());
    assert_eq!(driver.state().ranks.stopped().len(), 8, "the ranks are where they were");
    driver.command("break nowhere_at_all").command("print 1+1");
    assert!(has_question(&driver), "a question that a reply opens stays, too: {}", driver.text());
}

#[test]
fn deleting_all_breakpoints_asks_and_deleting_one_does_not() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("break main").command("delete");
    assert!(driver.text().contains("Delete all 2 breakpoints?"), "{}", driver.text());
    driver.keys("n");
    assert_eq!(driver.state().breakpoints.len(), 2);
    driver.command("delete 2");
    assert!(!has_question(&driver) && driver.state().breakpoints.len() == 1, "{}", driver.text());
    driver.command("delete").keys("y");
    assert!(driver.state().breakpoints.is_empty(), "{}", driver.text());
    driver.command("delete");
    assert!(!has_question(&driver), "there is nothing to delete: {}", driver.text());
}

#[test]
fn leaving_frames_asks_unless_their_ranks_are_named() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("return 5");
    let question = "Make the shown functions of ranks 0-7 return now, without their ends?";
    assert!(driver.text().contains(question), "{}", driver.text());
    driver.keys("n").command("focus 3").command("return");
    assert!(driver.text().contains("Make kernel return now, without its end?"), "{}", driver.text());
    driver.keys("n").command("[3] return");
    assert!(!has_question(&driver), "{}", driver.text());
}

#[test]
fn nothing_is_asked_where_the_user_does_not_want_it() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("break main").command("set confirm off").command("delete");
    assert!(!has_question(&driver) && driver.state().breakpoints.is_empty(), "{}", driver.text());
    driver.command("set confirm on").command("restart");
    assert!(has_question(&driver), "{}", driver.text());
}

#[test]
fn a_script_deletes_without_a_question() {
    let mut driver = in_kernel(CLASSIC, 8);
    let controller = &mut driver.session.controller;
    let id = controller.execute("source own.rankscope");
    controller.provide(id, Ok("delete\n".to_owned()));
    driver.session.finish(id);
    driver.settle();
    assert!(!has_question(&driver) && driver.state().breakpoints.is_empty(), "{}", driver.text());
}

#[test]
fn a_displayed_expression_opens_without_the_local_variable_of_its_name() {
    let mut driver = Driver::start(RELAY, &[], 4, (120, 40));
    driver.command("break work").go("c").command("display c").keys("4 g g");
    let opened = |driver: &Driver| driver.text().lines().filter(|row| row.contains("\u{25be} 1: c ")).count();
    assert_eq!(opened(&driver), 0, "{}", driver.text());
    driver.keys("enter");
    assert_eq!(opened(&driver), 1, "{}", driver.text());
    driver.keys("enter");
    assert_eq!(opened(&driver), 0, "{}", driver.text());
}

#[test]
fn a_key_comes_back_to_the_start_of_long_lines() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("2");
    let at_start = driver.text();
    driver.keys("l l l");
    assert_ne!(driver.text(), at_start);
    driver.keys("0");
    assert_eq!(driver.text(), at_start);
}

#[test]
fn a_misspelt_function_of_a_set_is_corrected() {
    let mut driver = Driver::start(RELAY, &[], 4, CLASSIC);
    driver.command("break work").go("c").command("[in(wrok)] print sum");
    assert!(driver.text().contains("no rank matches in(wrok); did you mean \"work\"?"), "{}", driver.text());
}

#[test]
fn a_misspelt_variable_is_corrected() {
    let mut driver = Driver::start(RELAY, &[], 4, (160, 50));
    driver.command("break work").go("c").command("print summ");
    assert!(driver.text().contains("Did you mean \"sum\"?"), "{}", driver.text());
}

#[test]
fn functions_of_the_shown_source_are_completed() {
    let mut driver = Driver::start(RELAY, &[], 4, CLASSIC);
    driver.keys(":").typed("break wo").keys("tab");
    let Some(Layer::Prompt(prompt)) = driver.app.view.layers.last() else { panic!("{}", driver.text()) };
    assert_eq!(prompt.editor.text(), "break work ");
}

#[test]
fn no_cut_has_two_signs() {
    let mut driver = super::diverged((40, 24), 8);
    driver.command("break a_function_with_a_long_name if n > 3 && n < 100").keys("y");
    driver.app.view.layers.clear();
    for view in 1..=9 {
        for zoom in [false, true] {
            driver.app.resize(40, 24);
            driver.keys(&view.to_string());
            driver.app.view.zoom = zoom;
            for width in 20..=100 {
                for scroll in [0, 8, 24] {
                    driver.app.view.source.left = scroll;
                    driver.app.resize(width, 24);
                    let text = driver.text();
                    assert!(!text.contains("\u{2026}\u{2026}"), "view {view}, {width} columns:\n{text}");
                }
            }
        }
    }
}

#[test]
fn a_click_in_the_margin_sets_a_breakpoint_or_deletes_it_and_one_behind_it_does_neither() {
    let mut driver = in_kernel(CLASSIC, 4);
    let before = driver.state().breakpoints.len();
    let text = driver.text();
    let row = text.lines().position(|line| line.contains("▶")).unwrap() as u16;
    driver.click(9, row);
    assert_eq!(driver.state().breakpoints.len(), before);
    for column in [1, 3] {
        driver.click(column, row);
        assert_eq!(driver.state().breakpoints.len(), before + 1, "{}", driver.text());
        driver.click(column, row);
        assert_eq!(driver.state().breakpoints.len(), before, "{}", driver.text());
    }
}
