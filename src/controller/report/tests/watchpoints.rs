//! Stops of ranks at one watchpoint, each with its own values.

use super::*;
use crate::report::Coalescer;
use crate::state::{RankTable, State};
use model::Watched;
use std::time::Instant;

fn at_watchpoint(old: i32, new: i32) -> Stop {
    let value = |value: i32| {
        let data = value.to_be_bytes().to_vec();
        Some(Datum { descriptor: "is4".into(), data, type_name: "int".into() })
    };
    let watched = Watched::Changed { old: value(old), new: value(new) };
    Stop { reason: StopReason::Watchpoint(BreakpointId(2), watched), ..stop(StopReason::Step) }
}

const VALUES: [(i32, i32); 4] = [(0, 10), (0, 11), (0, 10), (0, 13)];

#[test]
fn ranks_at_one_watchpoint_are_one_group_of_the_status_whatever_their_values() {
    let mut state = State { ranks: RankTable::new(4), ..State::default() };
    for (rank, (old, new)) in (0..).zip(VALUES) {
        let stop = ProcessState::Stopped(Box::new(at_watchpoint(old, new)));
        state.ranks.change(&ProcessSet::range(rank, rank + 1), &stop);
    }
    let all = ProcessSet::all(4);
    assert_eq!(state.status_groups(&all).len(), 1);
    let content = Content::Status(state.status_groups_by_value(&all));
    let report = Report { origin: None, content, limits: state.format_options() };
    let text = text_lines(&report);
    assert_eq!(text, ["[0-3] stopped: watchpoint 2: 0 -> 10 [0,2], 11 [1], 13 [3], kernel at ring.c:12"]);
    let json: serde_json::Value = serde_json::from_str(&json_lines(&report)[0]).unwrap();
    let words = |group: &serde_json::Value| format!("{} {}", group["ranks"], group["new"]).replace('"', "");
    let groups: Vec<_> = json["groups"].as_array().unwrap().iter().map(words).collect();
    assert_eq!(groups, ["0,2 10", "1 11", "3 13"], "{json}");
}

#[test]
fn stops_at_one_watchpoint_are_one_line_of_text_and_an_object_for_each_value() {
    let held = |mut held: Coalescer| {
        for (rank, (old, new)) in (0..).zip(VALUES) {
            let content = Content::Stopped(ProcessSet::range(rank, rank + 1), at_watchpoint(old, new));
            held.push(Report { origin: None, content, limits: FormatOptions::default() }, Instant::now());
        }
        held.take()
    };
    let text: Vec<_> = held(Coalescer::default()).iter().flat_map(text_lines).collect();
    assert_eq!(text, ["[0-3] stopped: watchpoint 2: 0 -> 10 [0,2], 11 [1], 13 [3], kernel at ring.c:12"]);
    let ranks = |report: &Report| match &report.content {
        Content::Stopped(ranks, _) => ranks.to_string(),
        content => panic!("{content:?}"),
    };
    let apart: Vec<_> = held(Coalescer::by_value()).iter().map(ranks).collect();
    assert_eq!(apart, ["0,2", "1", "3"]);
}

#[test]
fn of_many_values_the_first_are_named() {
    let mut held = Coalescer::default();
    for rank in 0..9 {
        let value = i32::try_from(rank).unwrap();
        let content = Content::Stopped(ProcessSet::range(rank, rank + 1), at_watchpoint(value / 2, value));
        held.push(Report { origin: None, content, limits: FormatOptions::default() }, Instant::now());
    }
    let text: Vec<_> = held.take().iter().flat_map(text_lines).collect();
    let values = "0 [0-1], 1 [2-3], 2 [4-5], 3 [6-7] and others -> 0 [0], 1 [1], 2 [2], 3 [3] and others";
    assert_eq!(text, [format!("[0-8] stopped: watchpoint 2: {values}, kernel at ring.c:12")]);
}
