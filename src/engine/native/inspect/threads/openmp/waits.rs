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
        None if is_nested => Recorded::Unknown,
        _ if waiting.is_of_gcc() => Recorded::Nothing,
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
        _ if is_nested => Recorded::Unknown,
        _ => Recorded::Nothing,
    }
}

/// Returns the only thread that may own a lock and does not wait for it.
fn perhaps_owner(members: &[Member], own: &Member, waiting: &Waiting) -> Awaited {
    let (mut waiters, mut others) = (1, Vec::new());
    for member in members.iter().filter(|member| member.id != own.id) {
        match &member.at {
            At::Unseen => return Awaited::UnrecordedOwner,
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
            At::Unseen => return Awaited::Unknown,
        }
    }
    missing.truncate(TeamWait::MOST_THREADS);
    Awaited::Arrivals { size: team.len() as u32, arrived, missing }
}

fn differs(one: Option<u64>, other: Option<u64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

fn active(members: &[Member], own: &Member) -> Awaited {
    let Some(team) = team_of(members, own) else { return Awaited::Unknown };
    let is_active = |member: &&&Member| matches!(member.at, At::Users(None));
    let mut threads: Vec<TeamThread> = team.values().filter(is_active).map(|member| member.thread()).collect();
    threads.truncate(TeamWait::MOST_THREADS);
    Awaited::Active { size: team.len() as u32, threads }
}
