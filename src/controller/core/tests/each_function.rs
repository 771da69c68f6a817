//! `rbreak`: functions without code of their own.

use super::*;
use model::{CodePlace, Site, SymbolList, UndescribedSymbol};

impl Head {
    /// Begins `rbreak` for four functions, and answers for each of them: true if it has code.
    #[track_caller]
    fn sets_each(&mut self, have_code: [bool; 4]) {
        self.execute("rbreak .");
        let (tid, ranks, _) = self.asked();
        let mut list = SymbolList::default();
        for name in ["a", "b", "c", "d"] {
            let code = CodePlace { module: None, offset: 0, address: None };
            list.undescribed.push(UndescribedSymbol { name: name.into(), code });
        }
        self.answer(tid, &ranks, "", Answer::SymbolList(Box::new(list)));
        let requests = self.sent();
        assert_eq!(requests.len(), 4);
        for (request, has_code) in requests.into_iter().zip(have_code) {
            let Request::Ranks { tid, operation: Operation::SetBreakpoint(asked), .. } = request else {
                panic!("{request:?}")
            };
            let site = Site { module: None, offset: 1, address: None, function: None, source: None };
            let sites = has_code.then_some(site).into_iter().collect();
            self.answer(tid, "0-3", "", Answer::Breakpoint(asked.id, sites));
        }
    }

    /// Answers the requests that delete breakpoints; returns their numbers.
    #[track_caller]
    fn deleted(&mut self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for request in self.sent() {
            let Request::Ranks { tid, operation: Operation::DeleteBreakpoint(number), .. } = request else {
                panic!("{request:?}")
            };
            numbers.push(number.0);
            self.answer(tid, "0-3", "", Answer::Ok);
        }
        numbers
    }
}

#[test]
fn functions_that_no_rank_has_get_no_breakpoint_and_are_not_counted() {
    let mut head = Head::stopped(true);
    head.sets_each([true, false, true, true]);
    assert_eq!(head.deleted(), [2]);
    let told = head.told();
    assert!(!told.iter().any(|line| line.contains("pending")), "{told:?}");
    assert_eq!(told[3], "[0-3] 3 breakpoints; delete 1 3-4 deletes them", "{told:?}");
    assert_eq!(told[4], "[0-3] no rank has code of b: no breakpoint is set there", "{told:?}");
    assert_eq!(told[5], "done [0-3]", "{told:?}");
    let left: Vec<u32> = head.controller.state().breakpoints.keys().map(|number| number.0).collect();
    assert_eq!(left, [1, 3, 4]);
    head.execute("delete 1 3-4");
    assert_eq!(head.deleted(), [1, 3, 4]);
}

#[test]
fn rbreak_fails_if_no_function_has_code() {
    let mut head = Head::stopped(true);
    head.sets_each([false; 4]);
    assert_eq!(head.deleted(), [1, 2, 3, 4]);
    let told = head.told();
    let error = "[0-3] error: no rank has code of a and 3 more of the functions: no breakpoint is set there";
    assert_eq!(told, [error, "done [0-3] failed"]);
    assert!(head.controller.state().breakpoints.is_empty());
}
