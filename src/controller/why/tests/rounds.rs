//! Messages that meet, but may be of different rounds of a loop.

use super::{at, collective, explained, message, set, why};
use crate::why::situation::{Direction, Doing, Peer, Situation};
use crate::why::verdict::Verdict;
use model::ProcessSet;

/// A rank in `MPI_Waitall` of messages from and to both neighbours of a ring.
fn exchanges(rank: u32, ranks: u32) -> Situation {
    let both = [(rank + ranks - 1) % ranks, (rank + 1) % ranks];
    let of = |direction| both.map(|peer| message(direction, Peer::Rank(peer), 1));
    let messages = [of(Direction::Receive), of(Direction::Send)].concat();
    at(&rank.to_string(), "MPI_Waitall", 30, Doing::Requests { text: Some("requests".into()), messages })
}

#[test]
fn who_leaves_an_exchange_out_is_named_though_the_messages_of_others_meet() {
    let mut situations: Vec<Situation> = (0..8).filter(|rank| *rank != 3).map(|rank| exchanges(rank, 8)).collect();
    situations.push(collective("3", "MPI_Allreduce", 40));
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty, found.samples), (Verdict::Deadlock, &set("3"), 2), "{found:#?}");
    let once = explained(&situations, &set("0-7"), &|_| false);
    assert_eq!((&once.guilty, once.samples), (&set("3"), 1), "{once:#?}");
}

#[test]
fn the_pair_whose_messages_do_not_meet_is_named_and_not_all_that_exchange() {
    let mut situations: Vec<Situation> = (0..8).map(|rank| exchanges(rank, 8)).collect();
    let Doing::Requests { messages, .. } = &mut situations[3].doing else { unreachable!() };
    messages.iter_mut().filter(|message| message.peer == Peer::Rank(4)).for_each(|message| message.tag = Some(2));
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty, found.samples), (Verdict::Deadlock, &set("3-4"), 2), "{found:#?}");
    // Others may still bring them what they wait for.
    let without_0 = |ranks: &ProcessSet| !ranks.contains(model::Rank(0));
    assert_eq!(explained(&situations, &set("0-7"), &without_0).samples, 1);
}

#[test]
fn an_exchange_is_a_deadlock_only_if_nobody_has_moved() {
    let situations: Vec<Situation> = (0..8).map(|rank| exchanges(rank, 8)).collect();
    assert_eq!(explained(&situations, &set("0-7"), &|_| false).verdict, Verdict::None);
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty, found.samples), (Verdict::Deadlock, &set("0-7"), 2), "{found:#?}");
}

#[test]
fn a_slow_rank_of_an_exchange_is_named_and_not_those_who_have_left_it() {
    // Rank 3 has its messages and waits in the reduction; rank 6 is late, and so are those next to it.
    let mut situations: Vec<Situation> =
        (0..8).filter(|rank| ![3, 6].contains(rank)).map(|rank| exchanges(rank, 8)).collect();
    situations.push(collective("3", "MPI_Allreduce", 40));
    situations.push(at("6", "", 20, Doing::Computing));
    let found = why(&situations);
    assert_eq!((found.verdict, &found.guilty), (Verdict::Computing, &set("6")), "{found:#?}");
}
