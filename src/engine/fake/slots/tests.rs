//! Ranks are used as they were packed.

use super::*;
use crate::fake::machine::{Activation, Machine, Shared, Thread, Used};
use crate::fake::programs;
use model::TransactionId;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn machine() -> Machine {
    Machine {
        rank: Rank(0),
        size: 9,
        globals: Shared::from(vec![0; 40]),
        heap: Shared::default(),
        environment: Arc::new([]),
        threads: Shared::from(vec![Thread { stack: vec![0; 16], ..Thread::default() }]),
        output: Vec::new(),
        handlers: BTreeMap::new(),
        slowness: 0,
        used: Used::default(),
    }
}

/// Ranks of one job.
fn ranks() -> impl FnMut(u32) -> Slot {
    let program = Arc::new(programs::load("fake:stencil").unwrap());
    let first = machine();
    move |number| Slot {
        machine: Machine { rank: Rank(number), ..first.clone() },
        program: Arc::clone(&program),
        bias: u64::from(number) << 12,
        state: State::Stopped,
        tid: TransactionId(3),
        current: 0,
        goal: None,
        passed: false,
        signal: None,
        signals: None,
        counted: BTreeMap::new(),
    }
}

#[test]
fn ranks_keep_what_is_their_own() {
    let (mut slots, mut packing, mut rank) = (Slots::default(), Packing::default(), ranks());
    for number in [2, 0, 1, 3] {
        let mut slot = rank(number);
        slot.machine.globals[12] = number as u8;
        if number == 1 {
            slot.machine.threads[0].stack[3] = 7;
        } else if number == 3 {
            slot.machine.threads[0].calls.push(Activation { function: 1, base: 0, back: 5 });
            slot.state = State::Running;
        }
        slots.insert(slot, &mut packing);
    }
    for number in 0..4 {
        let slot = slots.get(Rank(number)).unwrap();
        assert_eq!((slot.machine.rank, slot.bias), (Rank(number), u64::from(number) << 12));
        assert_eq!(slot.machine.globals[12], number as u8);
        assert_eq!(slot.machine.threads[0].stack[3], if number == 1 { 7 } else { 0 });
        assert_eq!(slot.machine.threads[0].calls.len(), usize::from(number == 3));
    }
    assert_eq!((slots.count(State::Running), slots.count(State::Stopped)), (1, 3));
    assert!(slots.get(Rank(4)).is_none());
}

#[test]
fn changes_are_kept_where_they_are_said_to_be_made() {
    let (mut slots, mut packing, mut rank) = (Slots::default(), Packing::default(), ranks());
    (0..100).for_each(|number| slots.insert(rank(number), &mut packing));
    slots.each_of(&ProcessSet::range(10, 20), |slot| {
        slot.machine.heap.push(9);
        slot.machine.rank.0 % 2 == 0
    });
    let grown =
        |slots: &Slots| (0..100).filter(|number| !slots.get(Rank(*number)).unwrap().machine.heap.is_empty()).count();
    assert_eq!(grown(&slots), 5);
    slots.each_in(|state| state == State::Stopped, |slot| slot.machine.heap.clear());
    assert_eq!(grown(&slots), 0);
}

#[test]
fn a_rank_takes_few_bytes_beside_those_that_are_alike() {
    let (mut slots, mut packing, mut rank) = (Slots::default(), Packing::default(), ranks());
    for number in 0..1000_u32 {
        let mut slot = rank(number);
        slot.machine.globals[8..12].copy_from_slice(&number.to_le_bytes());
        slots.insert(slot, &mut packing);
    }
    let own: usize = slots.0.iter().map(|packed| size_of::<Packed>() + packed.changes.len()).sum();
    assert!(own < 1000 * 64, "{own}");
    let others = slots.0.iter().filter(|packed| packed.changes.is_empty()).count();
    assert_eq!(others, 1, "with all their memory");
}
