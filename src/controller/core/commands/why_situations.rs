//! The situations of ranks, from their places and their answers.

use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::investigation::{At, Facts, Stay};
use crate::state::State;
use crate::why::{Doing, Place, RankValues, Situation, Source, words};
use model::{ProcessSet, ProcessState, Rank};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Returns the situations of all ranks.
pub(super) fn situations(state: &State, stays: &[Stay], facts: &Facts) -> Vec<Situation> {
    let mut found: Vec<Situation> = Vec::new();
    let mut known: HashMap<(Place, Doing), usize> = HashMap::new();
    let mut add = |rank: Rank, place: &Place, doing: Doing, source: Source| {
        let index = *known.entry((place.clone(), doing.clone())).or_insert(found.len());
        match found.get_mut(index) {
            Some(known) => _ = known.ranks.insert(rank),
            None => found.push(Situation { ranks: ProcessSet::one(rank), place: place.clone(), doing, source }),
        }
    };
    let rank_of = ranks_by_pid(state);
    for (index, stay) in stays.iter().enumerate() {
        for rank in stay.ranks.iter() {
            let observed = facts.observed().get(&rank.0);
            let (doing, source) = match &stay.at {
                At::Call(call) => {
                    let passed = observed.map_or(&[][..], |observed| &observed.passed);
                    call.doing(&RankValues { name: &|name| facts.value(index, name, rank.0), passed })
                }
                At::Other(doing) => {
                    let call = stay.place.call.as_deref().unwrap_or("");
                    let wait = observed.and_then(|observed| observed.wait.as_ref());
                    let words = wait.and_then(|wait| words(call, wait, facts.place(rank.0), &rank_of)).map(Arc::from);
                    let doing = match doing {
                        Doing::Lock(_) => Doing::Lock(words),
                        Doing::Io(_) => Doing::Io(words),
                        other => other.clone(),
                    };
                    (doing, Source::Call)
                }
            };
            add(rank, &stay.place, doing, source);
        }
    }
    add_others(state, facts, &mut found);
    found
}

/// Finds ranks by their process ids; none that two hosts have given.
fn ranks_by_pid(state: &State) -> impl Fn(u32) -> Option<Rank> {
    let mut ranks: HashMap<u32, Option<Rank>> = HashMap::new();
    for rank in ProcessSet::all(state.ranks.len() as u32).iter() {
        let Some(pid) = state.ranks.get(rank).map(|view| view.pid).filter(|pid| *pid > 0) else { continue };
        ranks.entry(pid).and_modify(|known| *known = None).or_insert(Some(rank));
    }
    move |pid| ranks.get(&pid).copied().flatten()
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
        let doing = match why_not_stopped(state, &gone).pop() {
            Some((_, words)) if is_gone => Doing::Ended(words.into()),
            _ => {
                add_running(facts, &ranks, situations);
                continue;
            }
        };
        situations.push(Situation { ranks, place: Place::default(), doing, source: Source::Call });
    }
}

/// Adds ranks that run; those that cannot be stopped are in the kernel.
fn add_running(facts: &Facts, ranks: &ProcessSet, situations: &mut Vec<Situation>) {
    let mut by_words: BTreeMap<Option<String>, ProcessSet> = BTreeMap::new();
    for rank in ranks.iter() {
        let wait = facts.observed().get(&rank.0).and_then(|observed| observed.wait.as_ref());
        let words = wait.and_then(|wait| words("", wait, None, &|_| None));
        by_words.entry(words).or_default().insert(rank);
    }
    for (words, ranks) in by_words {
        let doing = Doing::Running(words.map(Arc::from));
        situations.push(Situation { ranks, place: Place::default(), doing, source: Source::Call });
    }
}
