//! The situations of ranks, from their places and their answers.

use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::investigation::{At, Facts, Stay};
use crate::state::State;
use crate::why::{Doing, Place, RankValues, Situation, Source, Text, team_place, team_words, with_queues, words};
use model::{ProcessSet, ProcessState, Rank, Stop, StopReason};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Returns the situations of all ranks.
pub(super) fn situations(state: &State, stays: &[Stay], facts: &Facts) -> Vec<Situation> {
    let mut found: Vec<Situation> = Vec::new();
    let mut known: HashMap<(Place, Doing), usize> = HashMap::new();
    let mut add = |rank: Rank, place: &Place, doing: Doing, source: Source, text: Text| {
        let index = *known.entry((place.clone(), doing.clone())).or_insert(found.len());
        match found.get_mut(index) {
            Some(known) => _ = known.ranks.insert(rank),
            None => found.push(Situation { ranks: ProcessSet::one(rank), place: place.clone(), doing, source, text }),
        }
    };
    let rank_of = ranks_by_pid(state, facts);
    for (index, stay) in stays.iter().enumerate() {
        for rank in stay.ranks.iter() {
            let observed = facts.observed().get(&rank.0);
            if let Some(words) = halted(state, rank, matches!(stay.at, At::Call(_))) {
                add(rank, &stay.place, Doing::Halted(words.into()), Source::Call, Text::Read);
                continue;
            }
            let (doing, source, text) = match &stay.at {
                At::Call(call) => {
                    let passed = observed.map_or(&[][..], |observed| &observed.passed);
                    let called = observed.and_then(|observed| observed.called.as_deref());
                    let value = |caller: usize, name: &str| facts.value((index, caller), name, rank.0);
                    let is_told = |caller: usize| !facts.is_newer((index, caller), rank.0);
                    let name = |name: &str| call.origins.value(name, &value, &is_told);
                    let function = stay.place.call.as_deref().unwrap_or("");
                    let (doing, source) = call.doing(function, &RankValues { name: &name, passed, called });
                    let is_newer = observed.is_some_and(|observed| observed.is_source_newer);
                    let text = match &call.arguments {
                        _ if !call.has_arguments() => Text::Read,
                        None => Text::Missing,
                        Some(_) if is_newer && source == Source::Text => Text::Newer,
                        Some(_) => Text::Read,
                    };
                    let (doing, source) = match facts.queues(rank.0) {
                        Some(queues) => with_queues((doing, source), queues),
                        None => (doing, source),
                    };
                    (doing, source, text)
                }
                At::Other(Doing::Lock(_)) if let Some(team) = facts.team(rank.0) => {
                    let words = team_words(team, facts.place(rank.0)).map(Arc::from);
                    let place = team_place(&stay.place, team.call);
                    add(rank, &place, Doing::Lock(words), Source::Call, Text::Read);
                    continue;
                }
                At::Other(doing) => {
                    let call = stay.place.call.as_deref().unwrap_or("");
                    let wait = observed.and_then(|observed| observed.wait.as_ref());
                    let rank_of = |pid| rank_of(rank, pid);
                    let numbers = observed.map_or(&[][..], |observed| &observed.numbers);
                    let words = wait.and_then(|wait| words(call, wait, facts.place(rank.0), numbers, &rank_of));
                    let words = words.map(Arc::from);
                    let doing = match doing {
                        Doing::Lock(_) => Doing::Lock(words),
                        Doing::Io(_) => Doing::Io(words),
                        other => other.clone(),
                    };
                    (doing, Source::Call, Text::Read)
                }
            };
            add(rank, &stay.place, doing, source, text);
        }
    }
    add_others(state, facts, &mut found);
    found
}

/// Finds ranks by their process ids on the host of another one.
fn ranks_by_pid<'a>(state: &'a State, facts: &Facts) -> impl Fn(Rank, u32) -> Option<Rank> + use<'a> {
    let host = |rank: Rank| state.ranks.get(rank).map_or("", |view| view.host);
    let observed = facts.observed().iter().filter(|(_, seen)| seen.pid > 0);
    let ranks: HashMap<(&str, u32), Rank> =
        observed.map(|(rank, seen)| ((host(Rank(*rank)), seen.pid), Rank(*rank))).collect();
    move |near, pid| ranks.get(&(host(near), pid)).copied()
}

/// Adds the ranks that are not stopped, or did not reply.
fn add_others(state: &State, facts: &Facts, situations: &mut Vec<Situation>) {
    let known = situations.iter().fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks));
    let ended = state.ranks.ended();
    for (ranks, of) in state.ranks.groups() {
        let ranks = ranks.difference(&known);
        if ranks.is_empty() {
            continue;
        }
        let gone = ranks.intersection(&ended);
        let is_gone = !gone.is_empty() && !matches!(of, ProcessState::Detached);
        match (why_not_stopped(state, &gone).pop(), of) {
            (Some((_, words)), _) if is_gone => situations.push(without_place(ranks, Doing::Ended(words.into()))),
            (_, ProcessState::Stopped(stop)) => add_silent(state, &ranks, stop, situations),
            _ => add_running(facts, &ranks, situations),
        }
    }
}

/// Adds ranks with one stop that have not replied, or that have been continued and have not reported it yet.
fn add_silent(state: &State, ranks: &ProcessSet, stop: &Stop, situations: &mut Vec<Situation>) {
    let continued = ranks.intersection(state.ranks.in_flight());
    let silent = ranks.difference(&continued);
    if !silent.is_empty() {
        let words = halted_by(stop, false).unwrap_or_else(|| "stopped".to_owned());
        situations.push(without_place(silent, Doing::Silent(words.into())));
    }
    if !continued.is_empty() {
        situations.push(without_place(continued, Doing::Running(None)));
    }
}

fn without_place(ranks: ProcessSet, doing: Doing) -> Situation {
    Situation { ranks, place: Place::default(), doing, source: Source::Call, text: Text::Read }
}

/// Says where a rank has stopped if it would go on: at a place that the user has chosen, or by an error of its own. In a
/// call of MPI, a rank that was stepped waits as others do.
pub(super) fn halted(state: &State, rank: Rank, is_in_mpi: bool) -> Option<String> {
    let ProcessState::Stopped(stop) = state.ranks.get(rank)?.state else { return None };
    halted_by(stop, is_in_mpi)
}

fn halted_by(stop: &Stop, is_in_mpi: bool) -> Option<String> {
    Some(match &stop.reason {
        StopReason::Breakpoint(id) => format!("stopped at breakpoint {id}"),
        StopReason::Barrier(id) => format!("stopped at barrier {id}"),
        StopReason::Watchpoint(id, _) => format!("stopped by watchpoint {id}"),
        StopReason::Caught(id, _) => format!("stopped by catchpoint {id}"),
        StopReason::Signal(signal) => format!("stopped by {signal}"),
        StopReason::Error => "stopped by an error".to_owned(),
        StopReason::Step | StopReason::Finished(_) if is_in_mpi => return None,
        StopReason::Step => "stopped after a step".to_owned(),
        StopReason::Finished(_) => "stopped after \"finish\"".to_owned(),
        StopReason::Start => "stopped at the start".to_owned(),
        StopReason::Interrupted | StopReason::Attached => return None,
    })
}

/// Adds ranks that run; those that cannot be stopped are in the kernel.
fn add_running(facts: &Facts, ranks: &ProcessSet, situations: &mut Vec<Situation>) {
    let mut by_words: BTreeMap<Option<String>, ProcessSet> = BTreeMap::new();
    for rank in ranks.iter() {
        let wait = facts.observed().get(&rank.0).and_then(|observed| observed.wait.as_ref());
        let words = wait.and_then(|wait| words("", wait, None, &[], &|_| None));
        by_words.entry(words).or_default().insert(rank);
    }
    for (words, ranks) in by_words {
        let doing = Doing::Running(words.map(Arc::from));
        situations.push(without_place(ranks, doing));
    }
}
