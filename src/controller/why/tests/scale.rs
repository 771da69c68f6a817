//! Many ranks, and any situations.

use super::{at, collective, message, receives, why};
use crate::why::situation::{Communicator, Direction, Doing, Message, Peer, Situation};
use crate::why::verdict::Verdict;
use proptest::prelude::*;

const MANY: u32 = 1024;

#[track_caller]
fn is_quick(situations: &[Situation], verdict: Verdict) {
    let begun = std::time::Instant::now();
    let found = why(situations);
    assert_eq!(found.verdict, verdict, "{:#?}", found.text);
    assert!(found.text.len() <= 5);
    assert!(begun.elapsed().as_secs() < 5, "{verdict:?} after {:?}", begun.elapsed());
}

#[test]
fn a_thousand_ranks_take_no_time() {
    let ring: Vec<Situation> = (0..MANY).map(|rank| receives(rank, (rank + 1) % MANY)).collect();
    is_quick(&ring, Verdict::Deadlock);
    let mut chain = ring;
    *chain.last_mut().unwrap() = at(&(MANY - 1).to_string(), "", 1, Doing::Computing);
    is_quick(&chain, Verdict::Computing);
    chain.reverse();
    is_quick(&chain, Verdict::Computing);
    let any =
        |rank: u32| super::messages(&rank.to_string(), "MPI_Recv", 9, vec![message(Direction::Receive, Peer::Any, 7)]);
    is_quick(&(0..MANY).map(any).collect::<Vec<_>>(), Verdict::Deadlock);
    let places = |rank: u32| collective(&rank.to_string(), ["MPI_Barrier", "MPI_Allreduce"][rank as usize % 2], rank);
    is_quick(&(0..MANY).map(places).collect::<Vec<_>>(), Verdict::Mismatch);
    let mut mixed: Vec<Situation> = (1..MANY).map(places).collect();
    mixed.push(receives(0, 1));
    is_quick(&mixed, Verdict::Deadlock);
    let rooted = |rank: u32| {
        let doing = Doing::Collective { communicator: Communicator::World, root: Some(i64::from(rank)) };
        at(&rank.to_string(), "MPI_Bcast", 9, doing)
    };
    is_quick(&(0..MANY).map(rooted).collect::<Vec<_>>(), Verdict::Mismatch);
    let mut workers: Vec<Situation> = (1..MANY).map(|rank| receives(rank, 0)).collect();
    workers.push(collective("0", "MPI_Barrier", 3));
    is_quick(&workers, Verdict::Deadlock);
}

fn any_doing() -> impl Strategy<Value = Doing> {
    let peer = prop_oneof![(0u32..6).prop_map(Peer::Rank), Just(Peer::Any), Just(Peer::Nobody), Just(Peer::Unknown)];
    let direction = prop_oneof![Just(Direction::Send), Just(Direction::Receive)];
    let message = (direction, peer, proptest::option::of(0i64..2)).prop_map(|(direction, peer, tag)| Message {
        direction,
        peer,
        tag,
    });
    let communicator =
        || prop_oneof![Just(Communicator::World), Just(Communicator::Itself), Just(Communicator::Other(None))].boxed();
    prop_oneof![
        Just(Doing::Computing),
        Just(Doing::Running(None)),
        Just(Doing::Ended("has exited".into())),
        Just(Doing::Requests { text: None, messages: Vec::new() }),
        (communicator(), proptest::option::of(0i64..3))
            .prop_map(|(communicator, root)| Doing::Collective { communicator, root }),
        (communicator(), proptest::collection::vec(message, 1..3))
            .prop_map(|(communicator, messages)| Doing::Messages { communicator, messages }),
    ]
}

proptest! {
    #[test]
    fn only_ranks_that_cannot_go_on_are_deadlocked(all in proptest::collection::vec((any_doing(), 0u32..3), 1..6)) {
        let situations: Vec<Situation> = (0..)
            .zip(all)
            .map(|(rank, (doing, line)): (u32, _)| at(&rank.to_string(), ["", "MPI_A", "MPI_B"][line as usize], line, doing))
            .collect();
        let found = why(&situations);
        prop_assert!(found.text.len() <= 5, "{:?}", found.text);
        prop_assert!(found.guilty.is_subset(&found.ranks));
        if found.verdict == Verdict::Deadlock {
            for rank in found.guilty.iter() {
                let doing = &situations[rank.0 as usize].doing;
                let waits = matches!(doing, Doing::Messages { .. } | Doing::Collective { .. });
                prop_assert!(waits, "{:?}", doing);
            }
        }
        for edge in &found.edges {
            prop_assert!(!edge.from.is_empty());
        }
    }
}
