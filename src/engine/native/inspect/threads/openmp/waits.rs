//! Finds out for which threads a thread waits in OpenMP, from all threads of its rank.

use super::member::{At, Member, Waiting};
use model::{Awaited, TeamCall, TeamThread, TeamWait, ThreadId};
use std::collections::BTreeMap;

/// The tags of LLVM's locks that are one word (openmp/runtime/src/kmp_lock.h): test and set, and futex. The owner is
/// above the tag, that of a futex lock above a bit that says whether others wait.
const TEST_AND_SET: u32 = 3;
const FUTEX: u32 = 5;
const TAG_BITS: u32 = 8;

/// Returns the wait of a thread, if it waits in OpenMP.
pub(crate) fn team_wait(members: &[Member], id: ThreadId) -> Option<TeamWait> {
    let own = members.iter().find(|member| member.id == id)?;
    let waiting = own.waiting()?;
    let awaited = match waiting.call {
        TeamCall::SetLock | TeamCall::SetNestLock | TeamCall::Critical => owner(members, own, waiting),
        TeamCall::Barrier => arrivals(members, own),
        TeamCall::TaskWait | TeamCall::TaskGroup | TeamCall::Ordered => active(members, own),
    };
    let library = waiting.library.split(".so").next().unwrap_or_default().to_owned();
    Some(TeamWait { call: waiting.call, name: waiting.name(), library, awaited })
}

/// What a lock records of its owner.
enum Recorded {
    /// The mark of this thread.
    Mark(u64),
    /// That nobody has it: it is about to be taken.
    Free,
    /// Nothing.
    Nothing,
    /// It cannot be read.
    Unknown,
}

fn owner(members: &[Member], own: &Member, waiting: &Waiting) -> Awaited {
    match recorded(waiting) {
        Recorded::Mark(mark) => {
            let mut owners = members.iter().filter(|member| member.mark == Some(mark));
            match (owners.next(), owners.next()) {
                (Some(owner), None) if owner.id == own.id => Awaited::Itself,
                (Some(owner), None) => Awaited::Owner(owner.thread()),
                _ => Awaited::Unknown,
            }
        }
        Recorded::Nothing => perhaps_owner(members, own, waiting),
        Recorded::Free | Recorded::Unknown => Awaited::Unknown,
    }
}

fn recorded(waiting: &Waiting) -> Recorded {
    let words = waiting.lock.as_ref().and_then(|lock| lock.words);
    let is_nested = waiting.call == TeamCall::SetNestLock;
    match words {
        // libgomp: a word that is 0 if the lock is free; in a nested lock, a count and the owner follow.
        Some([first, _]) if waiting.is_of_gcc() && first as u32 == 0 => Recorded::Free,
        Some([_, 0]) if waiting.is_of_gcc() && is_nested => Recorded::Unknown,
        Some([_, owner]) if waiting.is_of_gcc() && is_nested => Recorded::Mark(owner),
        None if is_nested || !waiting.is_of_gcc() => Recorded::Unknown,
        _ if waiting.is_of_gcc() => Recorded::Nothing,
        _ if is_nested => match waiting.lock.as_ref().and_then(|lock| lock.nested_owner) {
            Some(0) => Recorded::Free,
            Some(mark) => Recorded::Mark(mark),
            None => Recorded::Unknown,
        },
        // LLVM: a word with a tag, or a number of a lock elsewhere, which records the owner only if it is nested.
        Some([first, _]) if first & 1 == 1 => {
            let (tag, value) = (first as u32 & ((1 << TAG_BITS) - 1), first as u32 >> TAG_BITS);
            let owner = match tag {
                TEST_AND_SET => value,
                FUTEX => value >> 1,
                _ => return Recorded::Unknown,
            };
            if owner == 0 { Recorded::Free } else { Recorded::Mark(u64::from(owner)) }
        }
        _ => Recorded::Nothing,
    }
}

/// Returns the only thread that may own a lock and does not wait for it.
fn perhaps_owner(members: &[Member], own: &Member, waiting: &Waiting) -> Awaited {
    let (mut waiters, mut others) = (1, Vec::new());
    for member in members.iter().filter(|member| member.id != own.id) {
        match &member.at {
            At::Unseen | At::InLibrary => return Awaited::UnrecordedOwner,
            At::Idle => {}
            At::Users(None) => others.push(member),
            At::Users(Some(other)) => match waiting.has_lock_of(other) {
                Some(true) => waiters += 1,
                Some(false) => others.push(member),
                None => return Awaited::UnrecordedOwner,
            },
        }
    }
    match others.as_slice() {
        [] if waiting.lock.is_some() => Awaited::OwnWaiters(waiters),
        [other] if waiting.lock.is_some() => Awaited::PerhapsOwner(other.thread()),
        _ => Awaited::UnrecordedOwner,
    }
}

/// Returns the threads of the team of a thread by their numbers, if all of them are known.
fn team_of<'a>(members: &'a [Member], own: &Member) -> Option<BTreeMap<u32, &'a Member>> {
    let team = own.team?;
    let mut found = BTreeMap::new();
    for member in members.iter().filter(|member| member.team == Some(team)) {
        // Twice the same number: one of them is no longer of this team.
        if found.insert(member.number?, member).is_some() {
            return None;
        }
    }
    (found.len() == team.size as usize && found.keys().all(|number| *number < team.size)).then_some(found)
}

fn arrivals(members: &[Member], own: &Member) -> Awaited {
    let Some(team) = team_of(members, own) else { return Awaited::Unknown };
    let (mut arrived, mut missing) = (0, Vec::new());
    for member in team.values() {
        match &member.at {
            // It sleeps for something else than this barrier: what for is not known.
            At::Idle if differs(member.sleeps_for, own.sleeps_for) => return Awaited::Unknown,
            At::Idle => arrived += 1,
            At::Users(Some(waiting)) if waiting.call == TeamCall::Barrier => arrived += 1,
            At::Users(_) => missing.push(member.thread()),
            At::Unseen | At::InLibrary => return Awaited::Unknown,
        }
    }
    missing.truncate(TeamWait::MOST_THREADS);
    Awaited::Arrivals { size: team.len() as u32, arrived, missing }
}

fn differs(one: Option<u64>, other: Option<u64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

fn active(members: &[Member], own: &Member) -> Awaited {
    let is_known = |member: &&Member| !matches!(member.at, At::Unseen | At::InLibrary);
    let team = team_of(members, own).filter(|team| team.values().all(is_known));
    let Some(team) = team else { return Awaited::Unknown };
    let is_active = |member: &&&Member| matches!(member.at, At::Users(None));
    let mut threads: Vec<TeamThread> = team.values().filter(is_active).map(|member| member.thread()).collect();
    threads.truncate(TeamWait::MOST_THREADS);
    Awaited::Active { size: team.len() as u32, threads }
}

#[cfg(test)]
mod tests {
    use super::super::member::Lock;
    use super::super::numbers::Team;
    use super::*;

    const KEY: u64 = 0x5000;

    /// A thread of a team of `size`, with its id as the mark.
    fn member(id: u32, size: u32, at: At) -> Member {
        let team = Some(Team { key: KEY, size });
        Member { id: ThreadId(id), at, number: Some(id - 1), team, mark: Some(u64::from(id)), sleeps_for: None }
    }

    fn waits(call: TeamCall, library: &str, lock: Option<(u64, [u64; 2])>) -> At {
        let lock =
            lock.map(|(address, words)| Lock { address, name: None, words: Some(words), nested_owner: Some(words[1]) });
        At::Users(Some(Waiting { call, library: library.to_owned(), lock }))
    }

    fn awaited(members: &[Member]) -> Awaited {
        team_wait(members, ThreadId(1)).unwrap().awaited
    }

    fn id(awaited: &Awaited) -> Option<u32> {
        match awaited {
            Awaited::Owner(thread) | Awaited::PerhapsOwner(thread) => Some(thread.id.0),
            _ => None,
        }
    }

    #[test]
    fn recorded_owners_are_found_by_their_marks() {
        for (call, library, words, owner) in [
            (TeamCall::SetNestLock, "libgomp.so.1", [u64::MAX, 2], Some(2)),
            (TeamCall::SetLock, "libomp.so.5", [0x203, 0], Some(2)),
            (TeamCall::Critical, "libiomp5.so", [0x505, 0], Some(2)),
            (TeamCall::SetNestLock, "libomp.so.5", [8, 2], Some(2)),
            (TeamCall::SetNestLock, "libomp.so.5", [8, 0], None),
            (TeamCall::SetLock, "libomp.so.5", [3, 0], None),
            (TeamCall::SetLock, "libgomp.so.1", [0, 7], None),
            (TeamCall::SetNestLock, "libgomp.so.1", [1, 99], None),
        ] {
            let found =
                awaited(&[member(1, 2, waits(call, library, Some((0x100, words)))), member(2, 2, At::Users(None))]);
            let is_known = matches!(found, Awaited::Owner(_));
            assert_eq!((id(&found), is_known), (owner, owner.is_some()), "{call:?} {library} {words:x?}");
        }
        let own = awaited(&[member(1, 1, waits(TeamCall::SetLock, "libomp.so.5", Some((0x100, [0x103, 0]))))]);
        assert_eq!(own, Awaited::Itself);
    }

    #[test]
    fn only_one_thread_that_does_not_wait_is_perhaps_the_owner() {
        let lock = |address| waits(TeamCall::SetLock, "libgomp.so.1", Some((address, [2, 0])));
        let others = |others: Vec<At>| {
            let size = others.len() as u32 + 1;
            let others = others.into_iter().enumerate().map(|(index, at)| member(index as u32 + 2, size, at));
            awaited(&std::iter::once(member(1, size, lock(0x100))).chain(others).collect::<Vec<_>>())
        };
        assert_eq!(id(&others(vec![lock(0x100), At::Users(None), At::Idle])), Some(3));
        assert_eq!(id(&others(vec![lock(0x100), lock(0x200)])), Some(3), "it waits for another lock");
        assert_eq!(others(vec![lock(0x100), At::Idle]), Awaited::OwnWaiters(2));
        for unknown in [At::Unseen, At::InLibrary, waits(TeamCall::SetLock, "libgomp.so.1", None)] {
            assert_eq!(others(vec![At::Users(None), unknown]), Awaited::UnrecordedOwner);
        }
        assert_eq!(others(vec![At::Users(None), At::Users(None)]), Awaited::UnrecordedOwner);
    }

    #[test]
    fn a_barrier_waits_for_those_of_its_team_that_are_elsewhere() {
        let barrier = || waits(TeamCall::Barrier, "libgomp.so.1", None);
        let found = awaited(&[
            member(1, 4, barrier()),
            member(3, 4, waits(TeamCall::Critical, "libgomp.so.1", None)),
            member(2, 4, At::Idle),
            member(4, 4, barrier()),
            Member { team: Some(Team { key: 1, size: 4 }), ..member(5, 4, At::Users(None)) },
        ]);
        let Awaited::Arrivals { size: 4, arrived: 3, missing } = found else { panic!("{found:?}") };
        assert_eq!(missing.iter().map(|thread| thread.id.0).collect::<Vec<_>>(), [3]);
        let of_two = |other: Member| awaited(&[member(1, 2, barrier()), other]);
        assert_eq!(of_two(member(3, 2, At::Users(None))), Awaited::Unknown, "no team has such a number");
        assert_eq!(of_two(member(2, 2, At::InLibrary)), Awaited::Unknown);
        assert_eq!(awaited(&[member(1, 3, barrier()), member(2, 3, At::Idle)]), Awaited::Unknown, "one is not there");
        let asleep =
            |id, word| Member { sleeps_for: Some(word), ..member(id, 2, if id == 1 { barrier() } else { At::Idle }) };
        assert_eq!(awaited(&[asleep(1, 8), asleep(2, 16)]), Awaited::Unknown, "it sleeps elsewhere");
        assert!(matches!(awaited(&[asleep(1, 8), asleep(2, 8)]), Awaited::Arrivals { arrived: 2, .. }));
    }

    #[test]
    fn tasks_are_awaited_of_those_that_do_not_wait() {
        let found = awaited(&[
            member(1, 3, waits(TeamCall::TaskWait, "libomp.so.5", None)),
            member(2, 3, At::Users(None)),
            member(3, 3, waits(TeamCall::Barrier, "libomp.so.5", None)),
        ]);
        let Awaited::Active { size: 3, threads } = found else { panic!("{found:?}") };
        assert_eq!(threads.len(), 1);
    }
}
