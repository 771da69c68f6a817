//! Completion in the screen's prompt: names of variables, values to assign.

use crate::driver::Driver;
use rankscope::ui::layer::Layer;

const RELAY: &str = concat!("fake:", env!("CARGO_MANIFEST_DIR"), "/tests/programs/relay.c");

fn in_work() -> Driver {
    let mut driver = Driver::start(RELAY, &[], 4, (80, 24));
    driver.command("break work").go("c");
    driver
}

fn line(driver: &Driver) -> Option<String> {
    match driver.app.view.layers.last() {
        Some(Layer::Prompt(prompt)) => Some(prompt.editor.text().to_owned()),
        _ => None,
    }
}

#[test]
fn names_of_variables_are_completed() {
    for (typed, completed) in [
        ("print su", "print sum "),
        ("[0-1] p/x sum + ra", "[0-1] p/x sum + rank "),
        ("watch si", "watch size "),
        ("set var ra", "set var rank "),
        ("print nosuch", "print nosuch"),
    ] {
        let mut driver = in_work();
        driver.keys(":").typed(typed).keys("tab");
        assert_eq!(line(&driver).as_deref(), Some(completed));
    }
}

#[test]
fn members_are_completed() {
    for (typed, completed) in [
        ("print c[1].", "print c[1]."),
        ("[0-1] p/x c->t + c->i", "[0-1] p/x c->t + c->id "),
        ("set var c[rank].t", "set var c[rank].t"),
        ("print sum.", "print sum."),
    ] {
        let mut driver = in_work();
        driver.keys(":").typed(typed).keys("tab");
        assert_eq!(line(&driver).as_deref(), Some(completed));
    }
    let mut driver = in_work();
    driver.keys(":").typed("print c[1].").keys("tab tab");
    assert_eq!(line(&driver).as_deref(), Some("print c[1].id"), "the members have no beginning in common");
}

#[test]
fn names_are_completed_where_no_view_shows_variables() {
    let mut driver = in_work();
    driver.keys("2 z").keys(":").typed("print su").keys("tab");
    assert_eq!(line(&driver).as_deref(), Some("print sum "));
}

#[test]
fn what_is_offered_to_be_assigned_can_be_entered() {
    let mut driver = in_work();
    driver.command("display c[1]").command("display rank + 1").keys("4 g g");
    let (mut entered, mut empty) = (0, 0);
    for _ in 0..12 {
        driver.keys("V");
        let Some(typed) = line(&driver) else { break };
        assert!(typed.starts_with("[0-3] set "), "the line names the ranks that it writes: {typed}");
        if typed.ends_with("= ") {
            empty += 1;
            driver.keys("esc");
        } else if typed.contains("] set (rank + 1)") {
            driver.keys("esc");
        } else {
            entered += 1;
            let told = driver.session.reports.len();
            driver.keys("enter");
            let said = format!("{:?}", &driver.session.reports[told..]);
            assert!(!said.contains("Error"), "{typed}: {said}");
        }
        driver.keys("j");
    }
    assert!(entered >= 3 && empty >= 1, "{entered} {empty}: {}", driver.text());
}

#[test]
fn what_a_function_returned_is_on_the_screen() {
    let mut driver = in_work();
    driver.go("f");
    assert!(driver.text().contains("returned 6"), "{}", driver.text());
}
