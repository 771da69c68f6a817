//! The screen's requests for memory: the lead's page, who has other bytes, those bytes, and the symbols at addresses.

use super::*;
use crate::state::{ComparedBytes, MemoryWish};
use model::{MemoryPage, VirtualAddress};

/// Sixteen bytes, two addresses.
fn page(first: u8) -> MemoryPage {
    MemoryPage::read(VirtualAddress(0x1000), 0, 16, |at, count| {
        (0..count).map(|i| if at.0 % 8 == 0 && i % 8 == 0 { first } else { 0 }).collect()
    })
}

impl Head {
    /// Shows memory whose bytes are compared once they are known; returns the requests that this causes.
    fn look_at_memory(&mut self, compared: Option<&MemoryPage>) -> Vec<(TransactionId, String, Operation)> {
        let compared = compared.map(|page| ComparedBytes { offset: 0, length: 16, digest: page.digest(0, 16) });
        let wish = MemoryWish { expression: "p".into(), offset: 0, length: 16, compared, symbols: true };
        self.controller.look(Gaze { memory: Some(wish), ..self.controller.state().gaze.clone() });
        self.memory_requests()
    }

    fn memory_requests(&mut self) -> Vec<(TransactionId, String, Operation)> {
        let about_memory =
            |operation: &Operation| matches!(operation, Operation::MemoryPage { .. } | Operation::Symbols(_));
        let asked = self.sent().into_iter().filter_map(|request| match request {
            Request::Ranks { tid, ranks, operation, .. } if about_memory(&operation) => {
                Some((tid, ranks.to_string(), operation))
            }
            _ => None,
        });
        asked.collect()
    }

    fn memory(&self) -> &crate::state::ShownMemory {
        &self.controller.state().inspection.memory
    }
}

#[test]
fn ranks_with_other_bytes_send_them_and_those_that_are_alike_do_not() {
    let mut head = Head::stopped(false);
    head.execute("focus 0-3");
    let [(tid, ranks, _)] = &head.look_at_memory(None)[..] else { panic!("the lead's page is requested") };
    assert_eq!(ranks, "0");
    let own = page(0x10);
    head.answer(*tid, "0", "", Answer::MemoryPage(Box::new(own.clone())));
    let mut asked = head.look_at_memory(Some(&own));
    asked.sort_by_key(|(_, ranks, _)| ranks.clone());
    let [(symbols, _, Operation::Symbols(addresses)), (elsewhere, others, Operation::MemoryPage { compared, .. })] =
        &asked[..]
    else {
        panic!("{asked:?}")
    };
    assert_eq!((others.as_str(), *compared), ("1-3", Some(own.digest(0, 16))));
    assert_eq!(addresses[..], [VirtualAddress(0x10)], "each address once, and not 0");
    head.answer(*symbols, "0", "", Answer::Names(vec![Some("main+4".into())]));
    assert_eq!(head.memory().symbols.get(&0x10).map(String::as_str), Some("main+4"));
    head.answer(*elsewhere, "1,3", "1-3", Answer::MemoryAlike(true));
    assert!(head.memory_requests().is_empty(), "rank 2 has not answered yet");
    head.answer(*elsewhere, "2", "", Answer::MemoryAlike(false));
    let asked = head.memory_requests();
    let [(tid, ranks, Operation::MemoryPage { compared: None, length: 16, .. })] = &asked[..] else {
        panic!("{asked:?}")
    };
    assert_eq!(ranks, "2");
    head.answer(*tid, "2", "", Answer::MemoryPage(Box::new(page(0x11))));
    assert!(head.memory().differs(0, 1) && head.memory().differs(8, 8) && !head.memory().differs(1, 7));
    assert_eq!((head.memory().alike.to_string(), head.memory().different.to_string()), ("1,3".into(), "2".into()));
    assert!(head.memory_requests().is_empty(), "all is known");
}

#[test]
fn memory_is_read_again_at_each_stop_and_its_changes_are_marked() {
    let mut head = Head::stopped(false);
    head.execute("focus 0");
    let [(tid, ..)] = head.look_at_memory(None)[..] else { panic!("no request") };
    head.answer(tid, "0", "", Answer::MemoryPage(Box::new(page(0x10))));
    head.event("0", Event::Running);
    head.event("0", Event::Stopped(stop(13)));
    let asked = head.memory_requests();
    let [(tid, ..)] = asked[..] else { panic!("{asked:?}") };
    head.answer(tid, "0", "", Answer::MemoryPage(Box::new(page(0x12))));
    let shown = head.memory().page.value().unwrap();
    assert!(shown.has_changed(0, 1) && shown.has_changed(8, 1) && !shown.has_changed(1, 7));
}

#[test]
fn what_is_known_of_other_ranks_stays_while_another_page_is_read() {
    let mut head = Head::stopped(false);
    head.execute("focus 0-1");
    let [(tid, ..)] = head.look_at_memory(None)[..] else { panic!("no request") };
    let own = page(0);
    head.answer(tid, "0", "", Answer::MemoryPage(Box::new(own.clone())));
    let [(tid, ..)] = head.look_at_memory(Some(&own))[..] else { panic!("the other rank is not asked") };
    head.answer(tid, "1", "", Answer::MemoryAlike(false));
    let [(tid, ..)] = head.memory_requests()[..] else { panic!("the bytes are not requested") };
    head.answer(tid, "1", "", Answer::MemoryPage(Box::new(page(1))));
    assert!(head.memory().differs(0, 1));
    // The screen has moved on, and is back before the other page has come.
    head.look_at_memory(None);
    assert!(head.memory().differs(0, 1), "nothing flickers");
    head.look_at_memory(Some(&own));
    assert_eq!(head.memory().different.to_string(), "1");
    assert!(head.memory().differs(0, 1));
    // A rank that leaves the focus is not compared.
    head.execute("focus 0");
    assert!(head.memory().different.is_empty() && !head.memory().differs(0, 1));
}
