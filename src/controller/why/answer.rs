//! Finds the verdict: who waits for whom, and which ranks to look at first.

use super::knot::{knots, stuck};
use super::needs::{Need, Needs};
use super::sentences::sentences;
use super::situation::{Communicator, Doing, Situation};
use super::verdict::{Edge, Verdict, Why};
use model::{ProcessSet, Rank};
use std::collections::HashMap;

/// Finds out for whom some ranks wait, directly or through others, from the situations of all ranks of a job. Ranks of
/// `again` were in the same situation before, and have run since.
pub fn why(situations: &[Situation], asked: &ProcessSet, again: &ProcessSet) -> Why {
    let needs = Needs::new(situations);
    let concerned = needs.concerned(asked);
    let stuck = stuck(&needs).intersection(&concerned);
    let (verdict, guilty) = judge(&needs, situations, &stuck, &concerned);
    let edges = edges(&needs, &concerned);
    let samples = if !guilty.is_empty() && guilty.is_subset(again) { 2 } else { 1 };
    let text = sentences(situations, &edges, (verdict, samples), &guilty);
    Why { ranks: asked.clone(), verdict, guilty, text, edges, samples }
}

fn judge(
    needs: &Needs<'_>,
    situations: &[Situation],
    stuck: &ProcessSet,
    concerned: &ProcessSet,
) -> (Verdict, ProcessSet) {
    if stuck.is_empty() {
        return elsewhere(needs, situations, concerned);
    }
    let of = |kind: fn(&Doing) -> bool| {
        let those = situations.iter().filter(|situation| kind(&situation.doing));
        those.fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks))
    };
    let mut awaited = ProcessSet::new();
    for rank in stuck.iter() {
        if let Need::All(others) = needs.of(rank.0) {
            awaited.extend_with(others);
        }
    }
    let ended = of(|doing| matches!(doing, Doing::Ended(_))).intersection(&awaited);
    if !ended.is_empty() {
        return (Verdict::Ended, ended);
    }
    let in_collectives =
        of(|doing| matches!(doing, Doing::Collective { communicator: Communicator::World, .. })).intersection(stuck);
    if awaited.is_subset(&in_collectives) && !awaited.is_empty() && stuck.is_subset(&in_collectives) {
        return (Verdict::Mismatch, fewest(situations, stuck));
    }
    let guilty = outside_collectives(needs, knots(needs, stuck));
    if let Some(pair) = other_tag(needs, &guilty) {
        return (Verdict::Mismatch, pair);
    }
    (Verdict::Deadlock, if guilty.is_empty() { stuck.clone() } else { guilty })
}

/// Returns all ranks but those in the place where most are.
fn fewest(situations: &[Situation], of: &ProcessSet) -> ProcessSet {
    let mut places: Vec<ProcessSet> = situations.iter().map(|situation| situation.ranks.intersection(of)).collect();
    places.sort_by_key(|ranks| (std::cmp::Reverse(ranks.len()), ranks.first()));
    places.into_iter().skip(1).fold(ProcessSet::new(), |sum, ranks| sum.union(&ranks))
}

/// Leaves ranks of collectives out if others of the cycle are not in them, except those that the others name.
fn outside_collectives(needs: &Needs<'_>, cycle: ProcessSet) -> ProcessSet {
    let is_outside = |rank: &Rank| {
        let situation = needs.situation_of(rank.0);
        !situation.is_some_and(|situation| matches!(situation.doing, Doing::Collective { .. }))
    };
    let outside: ProcessSet = cycle.iter().filter(is_outside).collect();
    if outside.is_empty() {
        return cycle;
    }
    let mut named = outside.clone();
    for rank in outside.iter() {
        if let Need::All(others) = needs.of(rank.0) {
            named.extend_with(&others.intersection(&cycle));
        }
    }
    named
}

/// Returns two ranks if they are all and one sends to the other what that does not receive.
fn other_tag(needs: &Needs<'_>, ranks: &ProcessSet) -> Option<ProcessSet> {
    let (one, other) = (ranks.first()?, ranks.last()?);
    let messages = |rank: Rank| match &needs.situation_of(rank.0)?.doing {
        Doing::Messages { communicator, messages } => Some((communicator, messages)),
        _ => None,
    };
    let ((mine, sent), (theirs, received)) = (messages(one)?, messages(other)?);
    let opposite = sent.iter().any(|message| received.iter().any(|other| other.direction != message.direction));
    let exchange = sent.len() > 1 || received.len() > 1;
    (ranks.len() == 2 && one != other && mine == theirs && opposite && !exchange).then(|| ranks.clone())
}

/// The verdict if every rank can still go on.
fn elsewhere(needs: &Needs<'_>, situations: &[Situation], concerned: &ProcessSet) -> (Verdict, ProcessSet) {
    let (mut waiting, mut awaited, mut unknown) = (ProcessSet::new(), ProcessSet::new(), ProcessSet::new());
    for (rank, _, need) in needs.iter().filter(|(rank, ..)| concerned.contains(Rank(*rank))) {
        match need {
            Need::All(others) => {
                waiting.insert(Rank(rank));
                awaited.extend_with(others);
            }
            Need::Any(_) | Need::Unknown => _ = unknown.insert(Rank(rank)),
            Need::Nothing => {}
        }
    }
    let mut guilty = awaited.difference(&waiting);
    let is_waiting = !waiting.is_empty() || !unknown.is_empty();
    if guilty.is_empty() || guilty.is_subset(&unknown) {
        // Ranks that wait for unknown others wait for one of those that do not wait.
        let others = situations.iter().filter(|situation| {
            matches!(
                situation.doing,
                Doing::Computing | Doing::Running | Doing::Io | Doing::Lock | Doing::Library | Doing::Ended(_)
            )
        });
        let others = others.fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks));
        if !others.is_empty() {
            guilty = others;
        }
    }
    let verdict_of = |doing: &Doing| match doing {
        Doing::Lock => Verdict::Lock,
        Doing::Io => Verdict::Io,
        Doing::Computing => Verdict::Computing,
        Doing::Running => Verdict::Running,
        Doing::Ended(_) if is_waiting => Verdict::Ended,
        Doing::Ended(_) => Verdict::None,
        _ => Verdict::Missing,
    };
    let known = situations.iter().filter(|situation| !situation.ranks.intersection(&guilty).is_empty());
    let mut found: Vec<(Verdict, &Situation)> = known.map(|known| (verdict_of(&known.doing), known)).collect();
    let order = [
        Verdict::Lock,
        Verdict::Io,
        Verdict::Computing,
        Verdict::Missing,
        Verdict::Running,
        Verdict::Ended,
        Verdict::None,
    ];
    found.sort_by_key(|(verdict, _)| order.iter().position(|known| known == verdict));
    let Some((verdict, _)) = found.first().copied() else {
        return (if is_waiting && waiting.is_empty() { Verdict::Missing } else { Verdict::None }, ProcessSet::new());
    };
    if !is_waiting {
        return (verdict, ProcessSet::new());
    }
    let those = found.iter().filter(|(other, _)| *other == verdict);
    let blamed = those.fold(ProcessSet::new(), |sum, (_, situation)| sum.union(&situation.ranks));
    (verdict, blamed.intersection(&guilty))
}

/// Groups the needs by place and by ranks awaited.
fn edges(needs: &Needs<'_>, concerned: &ProcessSet) -> Vec<Edge> {
    let mut found: Vec<Edge> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for (rank, situation, need) in needs.iter().filter(|(rank, ..)| concerned.contains(Rank(*rank))) {
        let to = match need {
            Need::All(others) | Need::Any(others) => ProcessSet::clone(others),
            Need::Unknown => ProcessSet::new(),
            Need::Nothing => continue,
        };
        let key = (situation.place.clone(), to.to_string());
        match known.get(&key).and_then(|index| found.get_mut(*index)) {
            Some(edge) => _ = edge.from.insert(Rank(rank)),
            None => {
                known.insert(key, found.len());
                let communicator = communicator(&situation.doing);
                let (from, place, from_text) =
                    (ProcessSet::one(Rank(rank)), situation.place.clone(), situation.from_text);
                let any = matches!(need, Need::Any(_));
                found.push(Edge { from, to, place, communicator, from_text, any });
            }
        }
    }
    found
}

fn communicator(doing: &Doing) -> Option<String> {
    let (Doing::Collective { communicator, .. } | Doing::Messages { communicator, .. }) = doing else { return None };
    match communicator {
        Communicator::World => Some("MPI_COMM_WORLD".to_owned()),
        Communicator::Itself => Some("MPI_COMM_SELF".to_owned()),
        Communicator::Other(name) => name.as_deref().map(str::to_owned),
    }
}
