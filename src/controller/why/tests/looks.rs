//! Several looks at one job.

use super::{at, collective, explained, message, receives, sends, set};
use crate::why::answer::{Looks, why as answer};
use crate::why::situation::{Communicator, Direction, Doing, Peer};
use crate::why::verdict::{Since, Verdict};
use model::ProcessSet;

/// Earlier looks in which some ranks were as they are.
pub(super) struct Known<'a> {
    pub(super) are_stuck: &'a dyn Fn(&ProcessSet) -> bool,
    pub(super) since: Since,
}

impl Looks for Known<'_> {
    fn are_stuck(&self, ranks: &ProcessSet) -> bool {
        (self.are_stuck)(ranks)
    }

    fn since(&self, ranks: &ProcessSet) -> Since {
        let of = |set: &ProcessSet| set.intersection(ranks);
        let Since { moved, unmoved, unobserved } = &self.since;
        Since { moved: of(moved), unmoved: of(unmoved), unobserved: of(unobserved) }
    }
}

#[test]
fn one_look_does_not_tell_slow_from_stuck() {
    let cycle = [receives(0, 1), receives(1, 0)];
    for (again, samples) in [("0-1", 2), ("0", 1), ("", 1)] {
        let found = explained(&cycle, &set("0-1"), &|ranks| ranks.is_subset(&set(again)));
        assert_eq!((found.verdict, found.samples), (Verdict::Deadlock, samples));
        assert_eq!(found.text.iter().any(|line| line.contains("to be certain")), samples == 1, "{found:#?}");
    }
}

#[test]
fn a_later_look_says_of_every_rank_if_it_has_moved_whatever_the_verdict() {
    let row = Doing::Collective { communicator: Communicator::Other(Some("row".into())), root: None };
    for (rank_3, verdict) in [
        (Doing::Library, Verdict::Missing),
        (Doing::Requests { text: None, messages: Vec::new() }, Verdict::Missing),
        (row, Verdict::Missing),
        (Doing::Computing, Verdict::Computing),
        (Doing::Io(None), Verdict::Io),
        (Doing::Lock(None), Verdict::Lock),
        (Doing::Running(Some("in the kernel and cannot be stopped".into())), Verdict::Running),
        (Doing::Halted("stopped at breakpoint 2".into()), Verdict::Missing),
        (Doing::Collective { communicator: Communicator::World, root: None }, Verdict::None),
        (
            Doing::Messages {
                communicator: Communicator::World,
                messages: vec![message(Direction::Receive, Peer::Rank(0), 7)],
            },
            Verdict::Deadlock,
        ),
    ] {
        let situations = [collective("0-2", "MPI_Barrier", 20), at("3", "MPI_Barrier", 20, rank_3)];
        let told = |since: Since| {
            let unmoved = since.unmoved.clone();
            let found =
                answer(&situations, &set("0-3"), &Known { are_stuck: &|ranks| ranks.is_subset(&unmoved), since });
            assert_eq!(found.verdict, verdict, "{found:#?}");
            let line = found.text.iter().find(|line| line.starts_with("since")).cloned();
            assert_eq!(line.is_some(), !found.since.is_empty(), "{found:#?}");
            (found.samples, line.unwrap_or_default())
        };
        assert_eq!(told(Since::default()), (1, String::new()));
        let all = Since { unmoved: set("0-3"), ..Since::default() };
        assert_eq!(told(all), (2, "since the last look: ranks 0-3 are where they were.".to_owned()));
        let some = Since { unmoved: set("0-1"), moved: set("3"), unobserved: set("2") };
        let words = "ranks 0-1 are where they were, rank 3 has moved on, rank 2 has hardly had a processor";
        assert_eq!(told(some), (1, format!("since the last look: {words}.")));
    }
}

#[test]
fn a_later_look_is_said_in_one_to_five_lines_too() {
    let situations =
        [sends(0, 4), receives(1, 4), collective("2", "MPI_Barrier", 20), at("4", "", 40, Doing::Computing)];
    let since = Since { moved: set("0-4"), ..Since::default() };
    let found = answer(&situations, &set("0-4"), &Known { are_stuck: &|_| false, since });
    let last: Vec<&str> = found.text.iter().rev().take(2).map(String::as_str).collect();
    assert!(last[0] == "look at: focus 4" && last[1].ends_with(". Since the last look: ranks 0-4 have moved on."));
    assert_eq!(found.text.len(), 5, "{found:#?}");
    // What was said of the waits at the first look is said again.
    let first = answer(&situations, &set("0-4"), &Known { are_stuck: &|_| false, since: Since::default() });
    assert_eq!(first.text[..3], found.text[..3]);
}

#[test]
fn no_rank_is_left_out_of_many_that_wait_for_nobody() {
    let halted = |ranks: &str, line| at(ranks, "", line, Doing::Halted("stopped after a step".into()));
    let situations = [halted("0", 1), halted("1-9", 2), halted("10-29", 3), halted("30", 4), halted("31-35", 5)];
    let found = explained(&situations, &set("0-35"), &|_| true);
    let told: Vec<&str> = found.text.iter().rev().take(3).rev().map(String::as_str).collect();
    assert!(told[0].starts_with("ranks 10-29 are stopped") && told[1].starts_with("ranks 1-9 are stopped"), "{told:?}");
    assert_eq!(told[2], "ranks 0,30-35 are elsewhere: \"where\" shows them.");
}

#[test]
fn the_end_of_a_rank_is_seen_twice_if_those_that_wait_for_it_are() {
    let ended = at("3", "", 8, Doing::Ended("has exited with code 0".into()));
    let situations = [collective("0-2", "MPI_Barrier", 20), ended];
    assert_eq!(explained(&situations, &set("0-3"), &|ranks| ranks.is_subset(&set("0-2"))).samples, 2);
    let once = explained(&situations, &set("0-3"), &|ranks| ranks.is_subset(&set("0-1")));
    assert!(once.samples == 1 && once.text[1].contains("to be certain"), "{once:#?}");
}
