//! Finds the verdict: who waits for whom, and which ranks to look at first.

use super::knot::{knots, stuck};
use super::mpi_calls::mpi_name;
use super::needs::{Class, Need, Needs};
use super::operations::outside_the_largest;
use super::sentences::sentences;
use super::situation::{Communicator, Doing, Message, Peer, Situation};
use super::verdict::{Edge, Since, Verdict, Why};
use model::{ProcessSet, Rank};
use std::collections::HashMap;

/// The earlier looks at a job.
pub(crate) trait Looks {
    /// True if none of these ranks has got any further since an earlier look, though each has run since.
    fn are_stuck(&self, ranks: &ProcessSet) -> bool;

    /// How far these ranks have got since the last look.
    fn since(&self, ranks: &ProcessSet) -> Since;
}

/// Finds out for whom some ranks wait, directly or through others, from the situations of all ranks of a job.
pub(crate) fn why(situations: &[Situation], asked: &ProcessSet, looks: &dyn Looks) -> Why {
    let are_stuck = |ranks: &ProcessSet| looks.are_stuck(ranks);
    let prompt = Needs::new(situations);
    let across = Needs::across_rounds(situations);
    let stuck_across = stuck(&across).intersection(&across.concerned(asked));
    let stuck_now = stuck(&prompt).intersection(&stuck_across);
    let is_exchange = || prompt.classes().iter().all(|class| class.need == Need::Nothing);
    let (needs, judgement) = if !stuck_now.is_empty() {
        let mut judgement = deadlock(&prompt, &stuck_now);
        // Those on whose messages the stuck may still wait have not moved, either.
        judgement.evidence.extend_with(&across.concerned(&judgement.evidence).intersection(&stuck_across));
        (&prompt, judgement)
    } else if stuck_across.is_empty() {
        (&across, elsewhere(&across, situations, &across.concerned(asked)))
    } else if is_exchange() && !are_stuck(&stuck_across) {
        // All that ranks wait for seems to be on its way.
        (&prompt, elsewhere(&prompt, situations, &prompt.concerned(asked)))
    } else {
        let judgement = deadlock(&across, &stuck_across);
        (&across, Judgement { evidence: stuck_across, ..judgement })
    };
    let concerned = needs.concerned(asked);
    let Judgement { verdict, guilty, evidence } = judgement;
    let edges = edges(needs, &concerned);
    // Of no rank to look at, all of them are.
    let evidence = if evidence.is_empty() { concerned.clone() } else { evidence };
    let samples = if !evidence.is_empty() && are_stuck(&evidence) { 2 } else { 1 };
    let since = looks.since(&concerned);
    let text = sentences(situations, asked, &edges, (verdict, samples), (&guilty, &since));
    Why { ranks: asked.clone(), verdict, guilty, text, edges, samples, since }
}

struct Judgement {
    verdict: Verdict,
    /// The ranks to look at.
    guilty: ProcessSet,
    /// The ranks that have not moved if the verdict is true.
    evidence: ProcessSet,
}

impl Judgement {
    fn new(verdict: Verdict, guilty: ProcessSet) -> Self {
        Self { verdict, evidence: guilty.clone(), guilty }
    }
}

/// The verdict if ranks cannot go on.
fn deadlock(needs: &Needs<'_>, stuck: &ProcessSet) -> Judgement {
    let (mut awaited, mut ended, mut in_collectives) = (ProcessSet::new(), ProcessSet::new(), ProcessSet::new());
    for class in needs.classes() {
        match &class.situation.doing {
            Doing::Ended(_) => ended.extend_with(&class.ranks),
            Doing::Collective { communicator: Communicator::World, .. } => in_collectives.extend_with(&class.ranks),
            _ => {}
        }
        if let Some(others) = class.need.ranks().filter(|_| class.ranks.meets(stuck)) {
            awaited.extend_with(others);
        }
    }
    let ended = ended.intersection(&awaited);
    if !ended.is_empty() {
        let waits = |need: &Need| need.ranks().is_some_and(|others| others.meets(&ended));
        let waiting = needs.classes().iter().filter(|class| waits(&class.need));
        let waiting = waiting.fold(ProcessSet::new(), |sum, class| sum.union(&class.ranks)).intersection(stuck);
        return Judgement { verdict: Verdict::Ended, guilty: ended, evidence: waiting };
    }
    if awaited.is_subset(&in_collectives) && stuck.is_subset(&in_collectives) {
        let mut guilty = needs.operations.other_roots(stuck);
        if guilty.is_empty() {
            guilty = outside_the_largest(needs.operations.among(stuck));
        }
        return Judgement { verdict: Verdict::Mismatch, guilty, evidence: stuck.clone() };
    }
    let guilty = outside_collectives(needs, &knots(needs, stuck));
    if guilty.is_empty() {
        return Judgement::new(Verdict::Deadlock, stuck.clone());
    }
    let verdict = if have_other_tags(needs, &guilty) { Verdict::Mismatch } else { Verdict::Deadlock };
    // Whoever else moves in between shows that the job goes on.
    Judgement { verdict, guilty, evidence: stuck.clone() }
}

/// Leaves ranks of collectives out if others of the cycle are not in them, except those that the others name; or the
/// others, if they are the most.
fn outside_collectives(needs: &Needs<'_>, cycle: &ProcessSet) -> ProcessSet {
    let (mut outside, mut named, mut members) = (ProcessSet::new(), ProcessSet::new(), ProcessSet::new());
    for class in needs.classes() {
        if matches!(class.situation.doing, Doing::Collective { .. }) {
            members.extend_with(&class.ranks);
        } else if class.ranks.meets(cycle) {
            outside.extend_with(&class.ranks.intersection(cycle));
            if let Need::All(others) = &class.need {
                named.extend_with(&others.intersection(cycle));
            }
        }
    }
    let inside = cycle.difference(&outside);
    if outside.is_empty() || (!inside.is_empty() && members.len() < outside.len()) {
        return inside;
    }
    outside.union(&named)
}

/// True if each of these ranks sends to one of them what that does not receive, or the reverse, only for the tag.
fn have_other_tags(needs: &Needs<'_>, ranks: &ProcessSet) -> bool {
    let message = |rank: Rank| match &needs.of(rank)?.situation.doing {
        Doing::Messages { communicator, messages } => match messages.as_slice() {
            [message] => Some((communicator, *message)),
            _ => None,
        },
        _ => None,
    };
    let has_other_tag = |rank: Rank| {
        let (communicator, Message { direction, peer: Peer::Rank(peer), tag: Some(tag) }) = message(rank)? else {
            return None;
        };
        let (theirs, other) = message(Rank(peer))?;
        let opposite = theirs == communicator && other.direction != direction && other.peer == Peer::Rank(rank.0);
        Some(opposite && other.tag.is_some_and(|other| other != tag))
    };
    ranks.iter().all(|rank| has_other_tag(rank) == Some(true))
}

/// The verdict if every rank can still go on.
fn elsewhere(needs: &Needs<'_>, situations: &[Situation], concerned: &ProcessSet) -> Judgement {
    let (mut waiting, mut awaited, mut unknown) = (ProcessSet::new(), ProcessSet::new(), ProcessSet::new());
    for class in needs.classes() {
        let ranks = class.ranks.intersection(concerned);
        match &class.need {
            _ if ranks.is_empty() => {}
            Need::All(others) | Need::Any(others) => {
                waiting.extend_with(&ranks);
                awaited.extend_with(others);
            }
            Need::Unknown => unknown.extend_with(&ranks),
            Need::Nothing => {}
        }
    }
    let all_waiting = waiting.union(&unknown);
    let mut guilty = awaited.difference(&waiting);
    if guilty.is_empty() || guilty.is_subset(&unknown) {
        guilty = instead_of_unknown(needs, situations, &all_waiting).unwrap_or(guilty);
    }
    let verdict_of = |doing: &Doing| match doing {
        Doing::Lock(_) => Verdict::Lock,
        Doing::Io(_) => Verdict::Io,
        Doing::Computing => Verdict::Computing,
        Doing::Running(_) => Verdict::Running,
        Doing::Ended(_) if !all_waiting.is_empty() => Verdict::Ended,
        Doing::Ended(_) => Verdict::None,
        Doing::Halted(_) | Doing::Silent(_) if all_waiting.is_empty() => Verdict::None,
        _ => Verdict::Missing,
    };
    let order = [
        Verdict::Lock,
        Verdict::Io,
        Verdict::Computing,
        Verdict::Missing,
        Verdict::Running,
        Verdict::Ended,
        Verdict::None,
    ];
    let is_halted = |class: &Class<'_>| matches!(class.situation.doing, Doing::Halted(_) | Doing::Silent(_));
    let guilty_classes = || needs.classes().iter().filter(|class| class.ranks.meets(&guilty));
    // A rank that the user has stopped goes on only if the user continues it: whatever others do, it is in the way.
    let are_halted = !all_waiting.is_empty() && guilty_classes().any(is_halted);
    let mut found: Vec<(Verdict, ProcessSet)> = Vec::new();
    for class in guilty_classes().filter(|class| !are_halted || is_halted(class)) {
        found.push((verdict_of(&class.situation.doing), class.ranks.intersection(&guilty)));
    }
    found.sort_by_key(|(verdict, _)| order.iter().position(|known| known == verdict));
    let Some((verdict, _)) = found.first().cloned() else {
        let verdict = if waiting.is_empty() && !unknown.is_empty() { Verdict::Missing } else { Verdict::None };
        return Judgement::new(verdict, ProcessSet::new());
    };
    if all_waiting.is_empty() {
        return Judgement::new(verdict, ProcessSet::new());
    }
    let those = found.iter().filter(|(other, _)| *other == verdict);
    let guilty = those.fold(ProcessSet::new(), |sum, (_, ranks)| sum.union(ranks));
    match verdict {
        Verdict::Ended => Judgement { verdict, guilty, evidence: all_waiting },
        _ => Judgement::new(verdict, guilty),
    }
}

/// Ranks that wait for unknown others wait for one of those that do not wait. If all wait, these are the ranks of a
/// deadlock that there would be if the unknown were any, or else those who are not where most are.
fn instead_of_unknown(needs: &Needs<'_>, situations: &[Situation], waiting: &ProcessSet) -> Option<ProcessSet> {
    let mut others = ProcessSet::new();
    let mut places: HashMap<_, ProcessSet> = HashMap::new();
    for class in needs.classes() {
        let place = &class.situation.place;
        match class.situation.doing {
            Doing::Computing
            | Doing::Halted(_)
            | Doing::Silent(_)
            | Doing::Running(_)
            | Doing::Io(_)
            | Doing::Lock(_)
            | Doing::Library
            | Doing::Ended(_) => others.extend_with(&class.ranks),
            Doing::Collective { .. } => {
                let name = place.call.as_deref().and_then(mpi_name);
                places.entry((name, None)).or_default().extend_with(&class.ranks);
            }
            Doing::Messages { .. } | Doing::Requests { .. } => {
                places.entry((None, Some(place))).or_default().extend_with(&class.ranks);
            }
        }
    }
    if !others.is_empty() {
        return Some(others);
    }
    let supposed = Needs::supposed(situations);
    let stuck = stuck(&supposed).intersection(waiting);
    let cycle = outside_collectives(&supposed, &knots(&supposed, &stuck));
    if !cycle.is_empty() && cycle.len() < waiting.len() {
        return Some(cycle);
    }
    let most = places.values().map(|ranks| ranks.intersection(waiting)).max_by_key(|ranks| ranks.len())?;
    let others = waiting.difference(&most);
    (!others.is_empty() && others.len() < most.len()).then_some(others)
}

/// Groups the needs by place and by ranks awaited.
fn edges(needs: &Needs<'_>, concerned: &ProcessSet) -> Vec<Edge> {
    let mut found: Vec<Edge> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for class in needs.classes() {
        let from = class.ranks.intersection(concerned);
        if from.is_empty() || class.need == Need::Nothing {
            continue;
        }
        let mut to = class.need.ranks().cloned().unwrap_or_default();
        if class.ranks.len() == 1 && waits_for_any(&class.situation.doing) {
            to.remove_all(&class.ranks);
        }
        let (any, communicator) = (waits_for_any(&class.situation.doing), communicator(&class.situation.doing));
        let key = (&class.situation.place, to.clone(), any, communicator.clone());
        match known.get(&key).and_then(|index| found.get_mut(*index)) {
            Some(edge) => edge.from.extend_with(&from),
            None => {
                known.insert(key, found.len());
                let (place, source) = (class.situation.place.clone(), class.situation.source);
                found.push(Edge { from, to, place, communicator, source, text: class.situation.text, any });
            }
        }
    }
    found
}

fn waits_for_any(doing: &Doing) -> bool {
    matches!(doing, Doing::Messages { messages, .. } if messages.iter().any(|message| message.peer == Peer::Any))
}

fn communicator(doing: &Doing) -> Option<String> {
    let (Doing::Collective { communicator, .. } | Doing::Messages { communicator, .. }) = doing else { return None };
    match communicator {
        Communicator::World => Some("MPI_COMM_WORLD".to_owned()),
        Communicator::Itself => Some("MPI_COMM_SELF".to_owned()),
        Communicator::Other(name) => name.as_deref().map(str::to_owned),
        Communicator::Group { name, .. } => Some(name.to_string()),
    }
}
