//! The screen's requests to slow ranks: their timeouts, and the recovery of a pane.

use super::*;
use model::Failure;

fn locals(value: i32) -> Answer {
    Answer::Variables(vec![Variable { name: "i".into(), value: VariableValue::Known(datum(value)) }])
}

impl Head {
    /// Shows the variables of a rank; returns the request that this causes.
    #[track_caller]
    fn look_at_variables_of(&mut self, rank: u32) -> TransactionId {
        let views = Views { locals: true, ..Views::default() };
        self.controller.look(Gaze { lead: Rank(rank), views, ..Gaze::default() });
        let (tid, ranks, operation) = self.asked();
        assert_eq!((ranks, matches!(operation, Operation::Locals(_))), (rank.to_string(), true));
        tid
    }

    fn variables(&self) -> &Lookup<Vec<crate::state::ShownVariable>> {
        &self.controller.state().inspection.locals
    }

    #[track_caller]
    fn shown_failure(&self) -> &str {
        let Lookup::Failed(Failure { message, .. }) = self.variables() else { panic!("{:?}", self.variables()) };
        message
    }

    #[track_caller]
    fn assert_shows(&self, value: i32) {
        let Lookup::Known(shown) = self.variables() else { panic!("{:?}", self.variables()) };
        assert_eq!(shown[0].value, VariableValue::Known(datum(value)));
    }

    /// Advances the clock and handles all timeouts.
    fn pass(&mut self, time: Duration) {
        self.clock.advance(time);
        self.controller.tick();
    }
}

#[test]
fn a_pane_asked_after_a_long_pause_gives_the_rank_its_whole_time() {
    let mut head = Head::stopped(false);
    let tid = head.look_at_variables_of(0);
    head.answer(tid, "0", "", locals(1));
    for pause in [12, 3600] {
        head.clock.advance(Duration::from_secs(pause));
        let rank = if pause == 12 { 1 } else { 2 };
        let tid = head.look_at_variables_of(rank);
        let deadline = head.controller.next_deadline().unwrap();
        assert!(deadline >= head.clock.now() + Duration::from_secs(5), "patience begins with the question");
        head.pass(Duration::from_secs(4));
        assert_eq!(*head.variables(), Lookup::Loading(Some(head.variables().value().unwrap().clone())));
        head.answer(tid, &rank.to_string(), "", locals(2));
        head.assert_shows(2);
    }
}

#[test]
fn a_pane_asks_a_silent_rank_once_more_by_itself() {
    let mut head = Head::stopped(false);
    let tid = head.look_at_variables_of(1);
    head.clock.advance(Duration::from_secs(5));
    head.controller.receive(Reply::Missing { tid, ranks: set("1") });
    assert_eq!(head.shown_failure(), "rank 1 has not replied for 5 s; asking again");
    let (again, ranks, _) = head.asked();
    assert_eq!(ranks, "1");
    assert_eq!(head.shown_failure(), "rank 1 has not replied for 5 s; asking again", "nothing flickers meanwhile");
    head.answer(again, "1", "", locals(3));
    head.assert_shows(3);
    head.pass(Duration::from_secs(60));
    assert!(head.sent().is_empty());

    // A rank that never replies is asked twice, not for ever.
    let tid = head.look_at_variables_of(2);
    head.pass(Duration::from_secs(7));
    let (again, ..) = head.asked();
    assert_ne!(tid, again);
    head.pass(Duration::from_secs(7));
    let words = "rank 2 has not replied for 14 s; a late reply will be shown here";
    assert_eq!(head.shown_failure(), words);
    head.pass(Duration::from_secs(60));
    assert!(head.sent().is_empty());
    assert_eq!(head.controller.next_deadline(), None);
}

#[test]
fn a_late_answer_goes_into_the_pane_that_asked() {
    let mut head = Head::stopped(false);
    let first = head.look_at_variables_of(1);
    head.pass(Duration::from_secs(7));
    let (second, ..) = head.asked();
    head.answer(first, "1", "", locals(1));
    head.assert_shows(1);
    head.pass(Duration::from_secs(7));
    head.assert_shows(1);

    // The second request timed out; its late answer is shown if it is still current.
    head.answer(second, "1", "", locals(2));
    head.assert_shows(2);
    assert!(head.sent().is_empty());

    // An answer for another stop or another rank must not be shown now.
    let tid = head.look_at_variables_of(2);
    head.pass(Duration::from_secs(7));
    head.asked();
    let views = head.controller.state().gaze.views;
    head.controller.look(Gaze { lead: Rank(3), views, ..Gaze::default() });
    head.answer(tid, "2", "", locals(9));
    assert!(!matches!(head.variables(), Lookup::Known(_)), "{:?}", head.variables());
    assert!(head.sent().is_empty());
    // A silent rank does not delay the next one.
    head.until(head.controller.next_deadline().unwrap());
    let (other, ranks, _) = head.asked();
    assert_eq!(ranks, "3");
    head.answer(other, "3", "", locals(4));
    head.assert_shows(4);
    head.answer(tid, "2", "", locals(9));
    head.assert_shows(4);
}

#[test]
fn a_rank_whose_server_was_cut_off_is_asked_again_when_the_way_may_be_mended() {
    let mut head = Head::stopped(false);
    let tid = head.look_at_variables_of(1);
    head.controller.receive(Reply::Missing { tid, ranks: set("1") });
    assert_eq!(head.shown_failure(), "rank 1 has not replied; asking again");
    assert!(head.sent().is_empty(), "at once it would only be refused again");
    let patience = head.controller.next_deadline().unwrap() - head.clock.now();
    assert_eq!(patience, Duration::from_secs(5));
    head.pass(patience);
    let (again, ..) = head.asked();
    head.answer(again, "1", "", locals(5));
    head.assert_shows(5);
}

#[test]
fn a_rank_that_is_slow_is_added_to_the_merged_stack() {
    let mut head = Head::stopped(false);
    let views = Views { tree: true, ..Views::default() };
    head.controller.look(Gaze { views, ..Gaze::default() });
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "0-3");
    let stack = || Answer::Stack(vec![stop(12).frame]);
    head.clock.advance(Duration::from_secs(5));
    head.answer(tid, "0-2", "3", stack());
    let of_tree = |head: &Head| {
        let tree = head.controller.state().inspection.tree.value().unwrap().clone();
        (tree.ranks.to_string(), tree.roots[0].ranks.to_string())
    };
    assert_eq!(of_tree(&head), ("0-2".into(), "0-2".into()));
    let (again, ranks, _) = head.asked();
    assert_eq!(ranks, "0-3");
    head.answer(tid, "3", "", stack());
    assert_eq!(of_tree(&head), ("0-3".into(), "0-3".into()));
    head.clock.advance(Duration::from_secs(5));
    head.answer(again, "0-2", "3", stack());
    assert_eq!(of_tree(&head), ("0-3".into(), "0-3".into()), "rank 3 has told its stack");
}

#[test]
fn a_name_that_is_being_typed_is_looked_up_once_at_a_time() {
    let mut head = Head::stopped(false);
    let type_it = |head: &mut Head, begun: &str| {
        head.controller.look(Gaze { types: Some(begun.to_owned()), ..Gaze::default() });
        let asked = head.sent().into_iter().map(|request| match request {
            Request::Ranks { tid, operation: Operation::ListSymbols(_, query), .. } => (tid, query.name.unwrap()),
            request => panic!("{request:?}"),
        });
        asked.collect::<Vec<_>>()
    };
    let first = type_it(&mut head, "p");
    assert_eq!(first[0].1, "^p");
    assert_eq!(type_it(&mut head, "pa"), []);
    assert_eq!(type_it(&mut head, "par"), []);
    // The answer makes way for what has been typed last.
    head.answer(first[0].0, "0", "", Answer::SymbolList(Box::default()));
    let second = type_it(&mut head, "par");
    assert_eq!(second.len(), 1);
    assert_eq!(second[0].1, "^par");
    // A search that takes long does not delay the next for long.
    assert_eq!(type_it(&mut head, "part"), []);
    head.until(head.controller.next_deadline().unwrap());
    let third = type_it(&mut head, "part");
    assert_eq!(third[0].1, "^part");
}
