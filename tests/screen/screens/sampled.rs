//! The stacks of running ranks, looked at several times: view 3 shows them until the ranks stop.

use super::every_view::is_drawn_everywhere;
use super::*;
use crate::support::marks;

/// Eight ranks that wait in MPI, running.
fn waiting(size: (u16, u16)) -> Driver {
    let program = format!("fake:{}", marks::source("simulated_waits.c").display());
    let mut driver = Driver::start(&program, &["pair"], 8, size);
    driver.command("go").until("all ranks run", |state| state.ranks.stopped().is_empty());
    driver
}

/// Looks at the ranks four times, in the time of the session.
fn sample(driver: &mut Driver) {
    driver.session.controller.execute("sample 0.3");
    driver.settle();
    let from = driver.session.reports.len();
    while !driver.session.reports[from..].iter().any(|report| matches!(report.content, Content::Tree { .. })) {
        driver.session.advance(Duration::from_millis(100));
        driver.settle();
    }
}

#[test]
fn the_looks_at_running_ranks() {
    is_drawn_everywhere("sampled", |size| {
        let mut driver = waiting(size);
        sample(&mut driver);
        driver
    });
}

#[test]
fn running_ranks_say_how_to_see_where_they_are_and_once_stopped_show_that() {
    let mut driver = waiting(CLASSIC);
    assert!(driver.text().contains(r#"":sample" shows where"#), "{}", driver.text());
    sample(&mut driver);
    let text = driver.text();
    assert!(text.contains("4 looks at 0-7") && text.contains("25% 2,7"), "{text}");
    // A branch of running ranks is focused on; no frame can be chosen.
    driver.keys("3 G enter");
    assert_eq!(driver.state().focus.set, ProcessSet::parse("2,7").unwrap());
    assert!(!driver.text().contains("error"), "{}", driver.text());
    driver.command("focus all").command("halt");
    let text = driver.text();
    assert!(text.contains("merged 0-7") && !text.contains("looks at"), "{text}");
    driver.command("go").until("all ranks run", |state| state.ranks.stopped().is_empty());
    assert!(!driver.text().contains("looks at"), "the looks are of the past: {}", driver.text());
}
