//! The threads of all ranks of the focus: as one tree of their stacks, and by the calls that they are in.

use super::every_view::is_drawn_everywhere;
use super::*;
use rankscope::ui::view::StackForm;

/// Four ranks, of which one thread each has reached a breakpoint.
fn turning(size: (u16, u16)) -> Driver {
    let mut driver = Driver::start("spin", &[], 4, size);
    driver.command("break turn").go("c");
    driver
}

#[test]
fn the_tree_of_all_threads() {
    is_drawn_everywhere("thread_tree", |size| {
        let mut driver = turning(size);
        driver.keys("T");
        driver
    });
}

#[test]
fn the_threads_of_the_focus_by_their_calls() {
    is_drawn_everywhere("threads_of_focus", |size| {
        let mut driver = turning(size);
        driver.keys("7 m");
        driver
    });
}

#[test]
fn the_stack_has_three_forms() {
    let mut driver = turning(CLASSIC);
    let mut forms = vec![driver.app.view.chosen_stack.form(&driver.state().focus)];
    for _ in 0..3 {
        driver.keys("T");
        forms.push(driver.app.view.chosen_stack.form(&driver.state().focus));
    }
    assert_eq!(forms, [StackForm::Merged, StackForm::AllThreads, StackForm::Frames, StackForm::Merged]);
}

#[test]
fn the_stack_is_a_tree_while_several_ranks_are_in_focus() {
    let mut driver = turning(CLASSIC);
    let form = |driver: &Driver| driver.app.view.chosen_stack.form(&driver.state().focus);
    for (line, expected) in [
        ("focus 2", StackForm::Frames),
        ("focus 1-3", StackForm::Merged),
        ("focus 1-3.1", StackForm::Frames),
        ("focus all", StackForm::Merged),
    ] {
        driver.command(line);
        assert_eq!(form(&driver), expected, "{line}");
    }
    driver.keys("T T").command("focus 2").command("focus all");
    assert_eq!(form(&driver), StackForm::Frames, "what the user has chosen stays");
    driver.keys("T").command("focus 2");
    assert_eq!(form(&driver), StackForm::Frames, "the form of the focus is no choice");
}

#[test]
fn enter_on_threads_focuses_on_them() {
    let mut driver = turning(LARGE);
    driver.keys("7 m g g j enter");
    assert_eq!((driver.state().focus.text.as_str(), driver.state().thread.map(|thread| thread.0)), ("0-3.2", Some(2)));
    assert!(driver.text().contains("\n 0-3.2 ") && !driver.text().contains("0-3.2 0-3.2"), "{}", driver.text());
    driver.keys("3 T T g g enter");
    assert_eq!((driver.state().focus.text.as_str(), driver.state().thread.map(|thread| thread.0)), ("0-3.1", Some(1)));
    let stack = driver.state().inspection.stack.value().unwrap();
    let chosen = stack.iter().find(|frame| frame.level == driver.state().frame()).unwrap();
    assert_eq!(chosen.function.as_deref(), Some("main"), "the row's frame is selected");
}
