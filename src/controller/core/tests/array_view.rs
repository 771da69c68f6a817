//! The screen's requests for an array: each part once, and the marks of what has changed.

use super::*;
use crate::state::{ArrayWish, ShownPart, TilesWish, Tiling};
use model::{
    ArrayExtent, ArrayFinding, ArrayLook, ArrayPage, ArrayPart, ArrayPicture, ArraySection, ArrayShape, Axes, Failure,
    Reduction, Span,
};

fn wish(expression: &str, from: u64) -> ArrayWish {
    let columns = Span { from, count: 2 };
    let section = ArraySection { axes: None, at: Vec::new(), rows: Span { from: 0, count: 1 }, columns };
    let shown = ArrayLook::Page { section, condition: None };
    ArrayWish { expression: expression.to_owned(), shown, statistics: false, sought: None, tiles: None }
}

fn page(from: u64, data: [u8; 2]) -> Answer {
    let columns = Span { from, count: 2 };
    let axes = Some(Axes { rows: None, columns: Some(0) });
    let section = ArraySection { axes, at: vec![0], rows: Span { from: 0, count: 1 }, columns };
    let page = ArrayPage { section, descriptor: "is1".into(), data: data.to_vec(), marks: Vec::new() };
    let extents = vec![ArrayExtent { lower: 0, count: 9 }];
    let shape = ArrayShape { element_type: "signed char".into(), extents, parentheses: false, by_columns: false };
    Answer::Array(Box::new(ArrayPart { shape, finding: ArrayFinding::Page(page) }))
}

impl Head {
    /// Shows a part of an array; returns the requests that this causes.
    fn look_at_array(&mut self, array: ArrayWish) -> Vec<TransactionId> {
        self.controller.look(Gaze { array: Some(array), ..self.controller.state().gaze.clone() });
        self.array_requests()
    }

    fn array_requests(&mut self) -> Vec<TransactionId> {
        let sent = self.sent().into_iter().filter_map(|request| match request {
            Request::Ranks { tid, operation: Operation::Array { .. }, .. } => Some(tid),
            _ => None,
        });
        sent.collect()
    }

    fn shown_part(&self) -> Option<&ShownPart> {
        self.controller.state().inspection.array.shown.value()
    }
}

/// The parts of an array on four ranks, put together.
fn together() -> ArrayWish {
    let look = ArrayLook::Picture {
        section: ArraySection { rows: Span::ALL, columns: Span::ALL, ..ArraySection::default() },
        height: 1,
        width: 2,
        reductions: vec![Reduction::Mean],
    };
    let tiles = TilesWish { tiling: Tiling::line(ProcessSet::all(4)), look: look.clone() };
    ArrayWish { shown: look, tiles: Some(tiles), ..wish("u", 0) }
}

fn picture() -> Answer {
    let Answer::Array(part) = page(0, [1, 2]) else { unreachable!() };
    let section =
        ArraySection { rows: Span { from: 0, count: 1 }, columns: Span { from: 0, count: 9 }, at: vec![0], axes: None };
    let (reductions, levels) = (vec![Reduction::Mean], vec![0, 0, 0, 9]);
    let picture = ArrayPicture { section, height: 1, width: 2, reductions, range: None, levels };
    Answer::Array(Box::new(ArrayPart { finding: ArrayFinding::Picture(picture), ..*part }))
}

#[test]
fn parts_that_were_put_together_and_taken_apart_are_requested_again() {
    let mut head = Head::stopped(false);
    for round in 0..3 {
        let requests = head.look_at_array(together());
        assert_eq!(requests.len(), if round == 0 { 2 } else { 1 }, "that of the lead is known later");
        for tid in requests {
            head.answer(tid, "0-3", "", picture());
        }
        assert_eq!(head.controller.state().inspection.array.tiles.ranks(), ProcessSet::all(4), "round {round}");
        assert_eq!(head.look_at_array(ArrayWish { tiles: None, ..together() }), []);
    }
}

#[test]
fn a_part_of_an_array_is_requested_once_and_stays_until_another_array_is_shown() {
    let mut head = Head::stopped(false);
    let [tid] = head.look_at_array(wish("u", 0))[..] else { panic!("no request") };
    head.answer(tid, "0", "", page(0, [1, 2]));
    assert!(head.shown_part().is_some_and(|shown| shown.changed.is_empty()));
    assert!(head.look_at_array(wish("u", 0)).is_empty(), "it is known");
    let [tid] = head.look_at_array(wish("u", 4))[..] else { panic!("no request for another part") };
    assert!(head.shown_part().is_some(), "nothing flickers while it is read");
    head.answer(tid, "0", "", page(4, [5, 6]));
    let [tid] = head.look_at_array(wish("v", 0))[..] else { panic!("no request for another array") };
    assert!(head.shown_part().is_none());
    let failure = Failure::new(model::ErrorCode::DEBUGGER, "int is no array");
    head.answer(tid, "0", "", Answer::Failed(failure));
    assert!(matches!(head.controller.state().inspection.array.shown, Lookup::Failed(_)));
}
