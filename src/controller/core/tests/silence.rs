//! Ranks that do not answer in time, and a master that does not.

use super::*;
use model::{ErrorCode, Site, SourcePlace};

#[test]
fn silent_ranks_are_missing_and_the_others_answer() {
    let mut head = Head::stopped(true);
    head.execute("print n");
    let (tid, ranks, operation) = head.asked();
    assert_eq!(ranks, "0-3");
    assert!(matches!(operation, Operation::Print { expression, .. } if expression == "n"));
    head.answer(tid, "0,2", "3", Answer::Data(datum(7)));
    assert_eq!(head.told(), Vec::<String>::new(), "rank 1 is still to come");
    head.clock.advance(Duration::from_secs(5));
    head.answer(tid, "1", "3", Answer::Data(datum(8)));
    assert_eq!(
        head.told(),
        ["[0,2] n = 7", "[1] n = 8", "[3] missing: no reply within 5 s; to wait longer: set patience 20", "done [0-2]"]
    );
    assert_eq!(head.controller.state().ranks.silent(), set("3"), "it stays on the screen");
    head.answer(tid, "3", "", Answer::Data(datum(9)));
    assert_eq!(head.told(), ["[3] late answer to \"print n\":", "[3] n = 9"]);
    assert!(head.controller.state().ranks.silent().is_empty());
    head.answer(tid, "3", "", Answer::Data(datum(9)));
    assert_eq!(head.told(), Vec::<String>::new(), "once is enough");

    head.execute("print n");
    let (tid, ..) = head.asked();
    head.clock.advance(Duration::from_millis(4900));
    head.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [] failed"]);

    head.execute("print n");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-1", "2-3", Answer::Data(datum(7)));
    let why = "no reply: the link to its server broke; reconnecting";
    assert_eq!(head.told(), ["[0-1] n = 7", &format!("[2-3] missing: {why}"), "done [0-1]"]);
}

#[test]
fn a_master_that_says_nothing_is_given_up_on() {
    let mut head = Head::stopped(true);
    head.execute("set patience 1");
    head.execute("where");
    head.asked();
    head.told();
    let deadline = head.controller.next_deadline().unwrap();
    assert!(deadline > head.clock.now() + Duration::from_secs(1), "the master is given its time");
    head.until(deadline);
    assert_eq!(head.told(), ["[0-3] missing: no reply within 1 s; to wait longer: set patience 4", "done [] failed"]);
    assert_eq!(head.controller.next_deadline(), None);
}

#[test]
fn a_switch_of_engines_that_takes_longer_than_patience_goes_on_and_is_reported_late() {
    let mut head = Head::stopped(true);
    head.execute("engine use gdb");
    let (tid, ..) = head.asked();
    head.clock.advance(Duration::from_millis(4900));
    head.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
    let why = "no reply within 5 s; the switch to gdb goes on, and is reported when it is done";
    assert_eq!(head.told(), [&format!("[0-3] missing: {why}"), "done [] failed"]);
    head.answer(tid, "0-3", "", Answer::UnderEngine(model::EngineName::Gdb));
    assert!(head.told().contains(&"[0-3] late answer to \"engine use gdb\":".to_owned()));
    head.execute("engine");
    let (tid, ..) = head.asked();
    head.clock.advance(Duration::from_millis(4900));
    head.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [] failed"]);
}

const UNCONFIRMED: &str = "[0-3] breakpoint 1: leaf, 1 place, not confirmed yet by 2-3";

#[test]
fn slow_ranks_have_a_breakpoint_too_and_are_heard_late() {
    let mut head = Head::stopped(true);
    head.execute("break leaf");
    let (tid, ..) = head.asked();
    head.clock.advance(Duration::from_millis(4900));
    head.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [] failed"]);
    let ranks_of =
        |head: &Head| head.controller.state().breakpoints.get(&BreakpointId(1)).map(|known| known.ranks.to_string());
    assert_eq!(ranks_of(&head).as_deref(), Some("0-3"), "a stop at it must not be that of an unknown breakpoint");
    let source = Some(SourcePlace { file: "/f.c".into(), line: 25 });
    let site = Site { module: None, offset: 1, address: None, function: Some("leaf".into()), source };
    head.answer(tid, "0-1", "", Answer::Breakpoint(BreakpointId(1), vec![site]));
    let expected = ["[0-1] late answer to \"break leaf\":", UNCONFIRMED, "[0-1]   leaf at f.c:25"];
    assert_eq!(head.told(), expected);
    let why = || Answer::Failed(Failure::new(ErrorCode::MEMORY, "Cannot insert it."));
    head.answer(tid, "2", "", why());
    assert_eq!(ranks_of(&head).as_deref(), Some("0-1,3"), "rank 2 has refused it");
    head.answer(tid, "3", "", why());
    assert_eq!(ranks_of(&head).as_deref(), Some("0-1"));
}

impl Head {
    /// Executes a line to which no rank replies in time; returns the requests.
    #[track_caller]
    fn in_vain(&mut self, line: &str) -> Vec<(TransactionId, Operation)> {
        self.execute(line);
        self.unanswered()
    }

    /// Lets the time pass in which ranks are to reply to the requests; returns these.
    #[track_caller]
    fn unanswered(&mut self) -> Vec<(TransactionId, Operation)> {
        let requests = self.sent();
        self.clock.advance(Duration::from_millis(4900));
        let mut asked = Vec::new();
        for request in requests {
            let Request::Ranks { tid, operation, .. } = request else { panic!("{request:?}") };
            self.controller.receive(Reply::Missing { tid, ranks: set("0-3") });
            asked.push((tid, operation));
        }
        asked
    }

    fn sites(&self, number: u32) -> Option<usize> {
        self.controller.state().breakpoints.get(&BreakpointId(number)).map(|known| known.sites.len())
    }
}

fn code_of(name: &str) -> Site {
    Site { module: None, offset: 1, address: None, function: Some(name.into()), source: None }
}

#[test]
fn a_breakpoint_without_any_reply_is_not_called_pending() {
    let mut head = Head::stopped(true);
    let (tid, _) = head.in_vain("break leaf").remove(0);
    head.told();
    head.execute("info breakpoints");
    let told = head.told();
    assert_eq!(told[0], "[0-3] breakpoint 1: leaf, not confirmed yet by 0-3", "{told:?}");
    head.answer(tid, "0-2", "", Answer::Breakpoint(BreakpointId(1), vec![code_of("leaf")]));
    assert_eq!(head.told()[1], "[0-3] breakpoint 1: leaf, 1 place, not confirmed yet by 3");
    head.answer(tid, "3", "", Answer::Breakpoint(BreakpointId(1), vec![code_of("leaf")]));
    assert!(!head.told()[1].contains("confirmed"));
}

#[test]
fn slow_ranks_have_the_breakpoints_at_many_functions_too() {
    let mut head = Head::stopped(true);
    head.execute("rbreak .");
    let (tid, ranks, _) = head.asked();
    let mut list = model::SymbolList::default();
    for name in ["a", "b"] {
        let code = model::CodePlace { module: None, offset: 0, address: None };
        list.undescribed.push(model::UndescribedSymbol { name: name.into(), code });
    }
    head.answer(tid, &ranks, "", Answer::SymbolList(Box::new(list)));
    let asked = head.unanswered();
    assert_eq!(asked.len(), 2);
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [0-3]"]);
    assert_eq!([head.sites(1), head.sites(2)], [Some(0), Some(0)], "a stop there is at a known breakpoint");
    let (first, second) = (asked[0].0, asked[1].0);
    head.answer(first, "0-3", "", Answer::Breakpoint(BreakpointId(1), vec![code_of("a")]));
    assert_eq!(head.told()[1], "[0-3] breakpoint 1: a");
    assert_eq!([head.sites(1), head.sites(2)], [Some(1), Some(0)]);
    // No rank has code of the second.
    head.answer(second, "0-3", "", Answer::Breakpoint(BreakpointId(2), Vec::new()));
    let (tid, _, operation) = head.asked();
    assert_eq!(operation, Operation::DeleteBreakpoint(BreakpointId(2)));
    head.answer(tid, "0-3", "", Answer::Ok);
    assert_eq!([head.sites(1), head.sites(2)], [Some(1), None]);
}

#[test]
fn breakpoints_that_slow_ranks_delete_or_disable_late_are_deleted_and_disabled() {
    let mut head = Head::stopped(true);
    for (number, name) in [(1, "a"), (2, "b")] {
        head.execute(&format!("break {name}"));
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Breakpoint(BreakpointId(number), vec![code_of(name)]));
    }
    head.told();
    let (tid, _) = head.in_vain("disable 1").remove(0);
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [] failed"]);
    head.answer(tid, "0-3", "", Answer::Ok);
    let is_enabled = |head: &Head| head.controller.state().breakpoints[&BreakpointId(1)].request.enabled;
    assert!(!is_enabled(&head));
    head.told();

    // Other ranks may have counted since.
    let (tid, _) = head.in_vain("enable once 1").remove(0);
    head.told();
    head.answer(tid, "0-3", "", Answer::Ok);
    assert!(!is_enabled(&head) && head.told().is_empty());

    let asked = head.in_vain("delete 1 2");
    assert_eq!(head.told(), ["[0-3] missing: no reply within 5 s; to wait longer: set patience 20", "done [] failed"]);
    head.answer(asked[1].0, "0-1", "", Answer::Ok);
    let expected = ["[0-1] late answer to \"delete 1 2\":", "[0-1] breakpoint 2 is deleted"];
    assert_eq!(head.told(), expected);
    assert_eq!([head.sites(1), head.sites(2)], [Some(1), Some(1)], "ranks 2 and 3 still have it");
    head.answer(asked[1].0, "2-3", "", Answer::Ok);
    assert_eq!([head.sites(1), head.sites(2)], [Some(1), None]);
}
