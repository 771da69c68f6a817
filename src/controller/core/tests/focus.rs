//! The ranks of the focus, and its name.

use super::*;

impl Head {
    /// Returns the name of the focus, and its ranks.
    fn focus(&self) -> (String, String) {
        let focus = &self.controller.state().focus;
        (focus.text.clone(), focus.set.to_string())
    }

    /// Starts with four stopped ranks; those of a condition are the focus.
    fn focused_by_condition() -> Self {
        let mut head = Self::stopped(true);
        head.execute("focus {x > 3}");
        let (tid, ..) = head.asked();
        head.answer(tid, "1,3", "", Answer::Data(datum(1)));
        head.answer(tid, "0,2", "", Answer::Data(datum(0)));
        assert_eq!(head.told(), ["[1,3] focus {x > 3}", "done [0-3]"]);
        head
    }

    fn starts_again(&mut self, size: u32) {
        let hosts = vec![("node1".to_owned(), ProcessSet::all(size))];
        let event = SessionEvent::Session { session: "s".into(), size, hosts };
        self.controller.receive(Reply::Session { tid: TransactionId(0), event });
    }
}

fn pair(text: &str, set: &str) -> (String, String) {
    (text.to_owned(), set.to_owned())
}

#[test]
fn a_focus_is_called_by_what_chose_it_only_while_that_means_it() {
    for (line, called) in
        [("focus stopped", "stopped"), ("focus in(kernel)", "in(kernel)"), ("focus at(12) & !held", "at(12) & !held")]
    {
        let mut head = Head::stopped(true);
        head.execute(line);
        assert_eq!(head.focus(), pair(called, "0-3"));
        head.execute("[2] go");
        assert_eq!(head.focus(), pair("0-3", "0-3"), "{line}: rank 2 runs, and goes on being meant");
    }
    for line in ["focus all", "focus 1-2", "focus host(node1)"] {
        let mut head = Head::stopped(true);
        head.execute(line);
        let before = head.focus();
        head.event("0-3", Event::Running);
        assert_eq!(head.focus(), before, "{line}");
    }
    let mut head = Head::stopped(true);
    head.execute("hold");
    head.execute("focus held");
    head.execute("[0] unhold");
    assert_eq!(head.focus(), pair("0-3", "0-3"));
    for (line, called) in [("focus 1-2", "1-2"), ("focus . - 2", "1"), ("group a = 0-1", "1"), ("focus a", "a")] {
        head.execute(line);
        assert_eq!(head.focus().0, called, "{line}");
    }
    head.execute("group b = 3");
    assert_eq!(head.focus(), pair("a", "0-1"));
    head.execute("group a = 3");
    assert_eq!(head.focus(), pair("0-1", "0-1"), "the focus does not change with the name");
}

#[test]
fn a_set_that_matches_no_rank_is_named_as_typed() {
    for (line, named) in [
        ("focus in(collect)", "in(collect)"),
        ("focus at(ring.c:41)", "at(ring.c:41)"),
        ("focus stopped & in(collect)", "stopped & in(collect)"),
        ("focus none.2", "none"),
        ("wait in(collect)", "in(collect)"),
        ("[0] wait in(collect)", "in(collect)"),
        ("[in(collect)] wait", "in(collect)"),
        ("[in(collect)] next", "in(collect)"),
    ] {
        let mut head = Head::stopped(true);
        head.execute(line);
        for request in head.sent() {
            let Request::Ranks { tid, ranks, operation: Operation::Stack { .. }, .. } = request else {
                panic!("{line}: {request:?}")
            };
            head.answer(tid, &ranks.to_string(), "", Answer::Stack(Vec::new()));
        }
        assert_eq!(head.told()[0], format!("error: no rank matches {named}"), "{line}");
    }
}

#[test]
fn a_focus_by_a_condition_is_no_more_than_its_ranks_when_values_change() {
    let mut head = Head::focused_by_condition();
    head.execute("print x");
    let (tid, ..) = head.asked();
    head.answer(tid, "1,3", "", Answer::Data(datum(4)));
    assert_eq!(head.focus(), pair("{x > 3}", "1,3"));
    head.execute("set var x = 0");
    let (tid, ..) = head.asked();
    head.answer(tid, "1,3", "", Answer::Data(datum(0)));
    assert_eq!(head.focus(), pair("1,3", "1,3"));
}

#[test]
fn a_restart_says_whom_a_focus_by_condition_means_now() {
    let mut head = Head::focused_by_condition();
    head.starts_again(4);
    assert_eq!(head.focus(), pair("1,3", "1,3"));
    let words = "[1,3] the focus keeps the ranks chosen by {x > 3} before the restart; \"focus all\" focuses on all";
    assert!(head.told().contains(&words.to_owned()));
    head.starts_again(4);
    assert!(!head.told().iter().any(|line| line.contains("chosen by")), "it is said once");
    // The next job has fewer ranks.
    head.starts_again(2);
    assert_eq!(head.focus(), pair("1", "1"));
    head.starts_again(1);
    assert_eq!(head.focus(), pair("all", "0"));
}
