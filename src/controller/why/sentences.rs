//! The answer in one to five lines.

use super::mpi_calls::leaves_early;
use super::situation::{Communicator, Doing, Message, Peer, Place, Situation, Source, Text};
use super::verdict::{Edge, Since, Verdict};
use super::whom::{Whom, ranks, verb};
use model::ProcessSet;
use std::collections::HashMap;

/// Lines about waits; with the verdict and the ranks to look at, there are at most five.
const MOST_WAITS: usize = 3;

pub(super) fn sentences(
    situations: &[Situation],
    asked: &ProcessSet,
    edges: &[Edge],
    (verdict, samples): (Verdict, u32),
    (guilty, since): (&ProcessSet, &Since),
) -> Vec<String> {
    let progress = progress(since);
    let mut lines = waits(situations, edges, guilty);
    // Where those are for whom all wait, a line about their own wait has said.
    let is_said = || !guilty.is_empty() && edges.iter().any(|edge| guilty.is_subset(&edge.from));
    let conclusion =
        conclusion(situations, edges, verdict, guilty).filter(|_| verdict != Verdict::Missing || !is_said());
    let conclusion = conclusion.map(|line| if samples == 1 { seen_once(line, verdict, guilty) } else { line });
    // Neither costs the other its line: a fact of the first look is one of the second.
    let is_full = lines.len() >= MOST_WAITS;
    let (conclusion, progress) = match (conclusion, progress.as_deref().map(|line| line.strip_prefix("since"))) {
        (Some(conclusion), Some(Some(rest))) if is_full => (Some(format!("{conclusion} Since{rest}")), None),
        (conclusion, _) => (conclusion, progress),
    };
    lines.extend(conclusion);
    if edges.is_empty() {
        lines.extend(waits_outside(situations, asked));
    }
    lines.extend(progress);
    if !guilty.is_empty() && !lines.is_empty() && verdict != Verdict::None {
        lines.push(format!("look at: focus {guilty}"));
    }
    lines
}

/// Says what is not certain yet: a message or a collective operation may just be under way.
fn seen_once(line: String, verdict: Verdict, guilty: &ProcessSet) -> String {
    let doubt = match verdict {
        Verdict::Deadlock | Verdict::Mismatch if !guilty.is_empty() => ", unless a message is on its way",
        Verdict::Ended if !guilty.is_empty() => "; a message of it may be on its way",
        _ => return line,
    };
    // Only the second look gives it a name.
    let line = line.trim_end_matches('.');
    let line = line.strip_prefix("deadlock: ").or_else(|| line.strip_prefix("mismatch: ")).unwrap_or(line);
    format!("{line}{doubt}: to be certain, let the ranks run, halt them and ask again.")
}

/// `since the last look: ranks 0-2 are where they were, rank 3 has moved on.`
fn progress(since: &Since) -> Option<String> {
    let of = |set: &ProcessSet, one: &str, several: &str| {
        (!set.is_empty()).then(|| format!("{} {}", ranks(set), verb(set, one, several)))
    };
    let parts = [
        of(&since.unmoved, "is where it was", "are where they were"),
        of(&since.moved, "has moved on", "have moved on"),
        of(&since.unobserved, "has hardly had a processor", "have hardly had a processor"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("since the last look: {}.", parts.join(", ")))
}

/// `15 ranks wait in MPI_Allreduce (deadlock.c:118) for rank 10.`
fn waits(situations: &[Situation], edges: &[Edge], guilty: &ProcessSet) -> Vec<String> {
    let mut places: Vec<(&Edge, ProcessSet, Whom, bool)> = Vec::new();
    let is_for_guilty = |place: &Edge| {
        let mut alike = edges.iter().filter(|edge| edge.place == place.place);
        !place.to.is_empty() && alike.all(|edge| edge.to.is_subset(guilty))
    };
    let mut known = HashMap::new();
    for edge in edges {
        let unknown = edge.to.is_empty();
        let index = *known.entry((&edge.place, unknown, edge.any)).or_insert(places.len());
        match places.get_mut(index) {
            Some((_, from, to, _)) => {
                from.extend_with(&edge.from);
                to.add(&edge.from, &edge.to);
            }
            None => {
                let mut to = Whom::default();
                to.add(&edge.from, &edge.to);
                places.push((edge, edge.from.clone(), to, unknown));
            }
        }
    }
    // The largest group is what one sees first; after it, those that have to do with the verdict, and who waits for them
    // alone.
    places.sort_by_key(|(_, from, ..)| std::cmp::Reverse(from.len()));
    if let Some((_, rest)) = places.split_first_mut() {
        rest.sort_by_key(|(edge, from, ..)| (from.intersection(guilty).is_empty(), !is_for_guilty(edge)));
    }
    let mut lines = Vec::new();
    for (edge, from, to, unknown) in places.iter().take(MOST_WAITS) {
        let mut line = format!("{} {} {}", ranks(from), verb(from, "waits", "wait"), in_call(&edge.place));
        if *unknown {
            line.push_str(&unknown_words(situations, edge, from));
        } else if edge.any {
            line.push_str(" for a message of any rank");
        } else if edge.place.call.as_deref().is_some_and(leaves_early) {
            line.push_str(&to.words_of_some());
        } else {
            line.push_str(&to.words());
        }
        if let Some(tag) = tag(situations, from) {
            line.push_str(&format!(", tag {tag}"));
        }
        line.push_str(&source_words(edge));
        if let Some(thread) = edge.place.thread {
            // Few libraries record who holds a lock.
            let words = verb(from, "its thread", "their threads");
            let seem = verb(from, "seems", "seem");
            line.push_str(&format!(", in {words} {thread}, which {seem} to hold up others"));
        }
        lines.push(format!("{line}."));
    }
    lines
}

/// Says how the arguments are known if their text is not there or may be another one.
fn source_words(edge: &Edge) -> String {
    let file = edge.place.source.as_ref().map_or("the source", |source| base(&source.file));
    let by = match edge.source {
        Source::CallSite => "as the compiler describes the call",
        Source::Text => "as the text of the call says",
        Source::Call => "the compiler does not describe the call",
        Source::Queues => "as the MPI's message queues say",
    };
    let communicator = edge.communicator.as_deref().unwrap_or("a communicator");
    match edge.text {
        Text::Read if edge.source == Source::Queues => format!(" (on {communicator}, {by})"),
        Text::Read => String::new(),
        Text::Missing => format!(" ({by}: it is not in {file})"),
        Text::Newer => format!(" ({by}: {file} is newer than the program)"),
    }
}

/// The tag of the messages that ranks wait for, if it is one.
fn tag(situations: &[Situation], from: &ProcessSet) -> Option<i64> {
    let mut found = None;
    for situation in situations.iter().filter(|situation| !situation.ranks.intersection(from).is_empty()) {
        let (_, messages) = situation.doing.messages()?;
        for message in messages {
            match found {
                Some(tag) if message.tag != Some(tag) => return None,
                _ => found = Some(message.tag?),
            }
        }
    }
    found
}

fn conclusion(situations: &[Situation], edges: &[Edge], verdict: Verdict, guilty: &ProcessSet) -> Option<String> {
    let them = ranks(guilty);
    let line = match verdict {
        Verdict::Deadlock if guilty.len() > 1 => format!("deadlock: {them} wait for each other."),
        Verdict::Deadlock if waits_for_itself(situations, guilty) => format!("deadlock: {them} waits for itself."),
        Verdict::Deadlock => match awaited_by(edges, guilty) {
            others if others.is_empty() => format!("deadlock: no rank can go on before {them}."),
            others => format!("deadlock: {them} and {} wait for each other.", ranks(&others)),
        },
        Verdict::Mismatch if has_messages(situations, guilty) => {
            format!("mismatch: {them} send and receive with different tags.")
        }
        Verdict::Mismatch => match other_root(situations, guilty) {
            Some((own, others)) => {
                let names = verb(guilty, "names", "name");
                format!("mismatch: {them} {names} rank {own} as the root, others rank {others}.")
            }
            None if edges.iter().all(|edge| edge.from.is_subset(guilty)) => {
                format!("mismatch: {them} are in different calls.")
            }
            None => format!("mismatch: {them} {} not in the call that the others are in.", verb(guilty, "is", "are")),
        },
        Verdict::None if situations.is_empty() => return None,
        _ if edges.is_empty() => nobody_waits(situations),
        Verdict::None => "no deadlock: all that ranks wait for has been reached.".to_owned(),
        _ if guilty.is_empty() => return None,
        _ => elsewhere(situations, verdict, guilty),
    };
    Some(line)
}

/// `no stopped rank waits for another; ranks 0,2-5 are running: halt them and ask again.`
fn nobody_waits(situations: &[Situation]) -> String {
    let silent = situations.iter().filter(|situation| matches!(situation.doing, Doing::Silent(_)));
    let silent = silent.fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks));
    if !silent.is_empty() {
        let (have, wait) = (verb(&silent, "has", "have"), verb(&silent, "it waits", "they wait"));
        return format!("{} {have} not replied: what {wait} for is unknown.", ranks(&silent));
    }
    let (running, halted): (Vec<_>, Vec<_>) =
        situations.iter().partition(|situation| matches!(situation.doing, Doing::Running(None)));
    let running = running.iter().fold(ProcessSet::new(), |sum, situation| sum.union(&situation.ranks));
    if running.is_empty() {
        return "no rank waits for another.".to_owned();
    }
    let before = if halted.is_empty() { "" } else { "no stopped rank waits for another; " };
    let (are, them) = (verb(&running, "is", "are"), verb(&running, "it", "them"));
    format!("{before}{} {are} running: halt {them} and ask again.", ranks(&running))
}

/// `rank 3 is in pthread_mutex_lock (grid.c:7), held by its thread 2, which is in MPI_Recv (grid.c:40).`
fn waits_outside(situations: &[Situation], asked: &ProcessSet) -> Vec<String> {
    let mut told = Vec::new();
    for situation in situations {
        let them = situation.ranks.intersection(asked);
        let is_told = matches!(
            situation.doing,
            Doing::Lock(_) | Doing::Io(_) | Doing::Running(Some(_)) | Doing::Halted(_) | Doing::Silent(_)
        );
        if !them.is_empty() && is_told {
            told.push((them, situation));
        }
    }
    // No rank is left out: the smaller groups are one.
    let mut rest = ProcessSet::new();
    if told.len() > MOST_WAITS {
        told.sort_by_key(|(them, _)| std::cmp::Reverse(them.len()));
        told.drain(MOST_WAITS - 1..).for_each(|(them, _)| rest.extend_with(&them));
    }
    let line = |(them, situation): &(ProcessSet, &Situation)| format!("{} {}.", ranks(them), activity(situation, them));
    let mut lines: Vec<String> = told.iter().map(line).collect();
    if !rest.is_empty() {
        let (are, them) = (verb(&rest, "is", "are"), verb(&rest, "it", "them"));
        lines.push(format!("{} {are} elsewhere: \"where\" shows {them}.", ranks(&rest)));
    }
    lines
}

/// The root that some ranks name, and the one that others name in the same call.
fn other_root(situations: &[Situation], ranks: &ProcessSet) -> Option<(i64, i64)> {
    let rooted = situations.iter().filter_map(|situation| match situation.doing {
        Doing::Collective { root: Some(root), .. } => Some((situation, root)),
        _ => None,
    });
    let (theirs, others): (Vec<_>, Vec<_>) = rooted.partition(|(situation, _)| situation.ranks.is_subset(ranks));
    let (first, own) = theirs.first()?;
    let others = others.iter().find(|(other, root)| other.place.call == first.place.call && root != own)?;
    Some((*own, others.1))
}

/// ` on comm, whose members are unknown` or ` for an unknown rank`
fn unknown_words(situations: &[Situation], edge: &Edge, from: &ProcessSet) -> String {
    let communicator =
        edge.communicator.as_ref().map_or_else(|| "a communicator".to_owned(), |name| format!("{name},"));
    let of = |situation: &&Situation| !situation.ranks.intersection(&edge.from).is_empty();
    match situations.iter().find(of).map(|situation| &situation.doing) {
        Some(Doing::Collective { .. }) => format!(" on {communicator} whose members are unknown"),
        Some(Doing::Messages { communicator: Communicator::Other(_), .. }) => {
            format!(" for {} of {communicator} whose members are unknown", all_peers(situations, from))
        }
        Some(Doing::Messages { .. }) => " for an unknown rank".to_owned(),
        Some(Doing::Requests { text: Some(requests), .. }) => format!(" for {requests}, whose peers are unknown"),
        _ => " for unknown ranks".to_owned(),
    }
}

/// `rank 2`, or `rank 2 (rank 1), rank 0 (rank 3)` with the ranks that wait for each.
fn all_peers(situations: &[Situation], from: &ProcessSet) -> String {
    let mut found: Vec<(String, ProcessSet)> = Vec::new();
    for situation in situations {
        let (waiting, Doing::Messages { messages, .. }) = (situation.ranks.intersection(from), &situation.doing) else {
            continue;
        };
        let words = peers(messages);
        match found.iter_mut().find(|(known, _)| *known == words) {
            _ if waiting.is_empty() => {}
            Some((_, them)) => them.extend_with(&waiting),
            None => found.push((words, waiting)),
        }
    }
    match found.as_slice() {
        [(words, _)] => words.clone(),
        several if several.len() <= MOST_WAITS => {
            several.iter().map(|(words, them)| format!("{words} ({})", ranks(them))).collect::<Vec<_>>().join(", ")
        }
        _ => "different ranks".to_owned(),
    }
}

/// `rank 3`, as the communicator counts its ranks.
fn peers(messages: &[Message]) -> String {
    match messages.iter().map(|message| message.peer).collect::<Vec<_>>().as_slice() {
        [Peer::Rank(peer)] => format!("rank {peer}"),
        [Peer::Rank(to), Peer::Rank(from)] if to == from => format!("rank {to}"),
        [Peer::Rank(to), Peer::Rank(from)] => format!("ranks {to} and {from}"),
        [Peer::Any] => "a message of any rank".to_owned(),
        _ => "a rank".to_owned(),
    }
}

/// The ranks for which some ranks wait, and which wait for them.
fn awaited_by(edges: &[Edge], from: &ProcessSet) -> ProcessSet {
    let theirs = edges.iter().filter(|edge| from.is_subset(&edge.from));
    let awaited = theirs.fold(ProcessSet::new(), |sum, edge| sum.union(&edge.to));
    let waiting = edges.iter().filter(|edge| from.is_subset(&edge.to));
    let waiting = waiting.fold(ProcessSet::new(), |sum, edge| sum.union(&edge.from));
    awaited.intersection(&waiting).difference(from)
}

fn waits_for_itself(situations: &[Situation], rank: &ProcessSet) -> bool {
    let own = rank.first().map(|rank| Peer::Rank(rank.0));
    situations.iter().filter(|situation| rank.is_subset(&situation.ranks)).any(|situation| match &situation.doing {
        Doing::Messages { messages, .. } => messages.iter().any(|message| Some(message.peer) == own),
        _ => false,
    })
}

fn has_messages(situations: &[Situation], ranks: &ProcessSet) -> bool {
    let of = |situation: &&Situation| !situation.ranks.intersection(ranks).is_empty();
    situations.iter().filter(of).all(|situation| matches!(situation.doing, Doing::Messages { .. }))
}

/// `no deadlock: rank 3 is computing in solve (solve.c:40).`
fn elsewhere(situations: &[Situation], verdict: Verdict, guilty: &ProcessSet) -> String {
    let of = |situation: &&Situation| !situation.ranks.intersection(guilty).is_empty();
    let mut those: Vec<&Situation> = situations.iter().filter(of).collect();
    those.sort_by_key(|situation| std::cmp::Reverse(situation.ranks.intersection(guilty).len()));
    let Some(first) = those.first() else { return String::new() };
    // Ranks in one call differ in what they pass to it.
    let kind = |one: &Situation| std::mem::discriminant(&one.doing);
    let is_there = |one: &&&Situation| one.place == first.place && kind(one) == kind(first);
    let there = those.iter().filter(is_there).fold(ProcessSet::new(), |sum, one| sum.union(&one.ranks));
    let them = there.intersection(guilty);
    let what = activity(first, &them);
    let before = if verdict == Verdict::Computing { "no deadlock: " } else { "" };
    let others = guilty.difference(&them);
    let others = if others.is_empty() { String::new() } else { format!("; {} elsewhere", ranks(&others)) };
    format!("{before}{} {what}{others}.", ranks(&them))
}

/// `is in read (solve.c:12), on descriptor 5, a pipe`
fn activity(situation: &Situation, them: &ProcessSet) -> String {
    let (is, place) = (verb(them, "is", "are"), &situation.place);
    match &situation.doing {
        Doing::Computing => format!("{is} computing {}", in_function(place)),
        Doing::Running(Some(words)) => format!("{is} {words}"),
        Doing::Running(None) => format!("{is} running: halt tells where"),
        Doing::Ended(words) => words.to_string(),
        Doing::Silent(words) => format!("{is} {words}, without a reply"),
        Doing::Halted(words) if *place == Place::default() => format!("{is} {words}"),
        Doing::Halted(words) => format!("{is} {words} {}", in_call(place)),
        Doing::Lock(Some(words)) | Doing::Io(Some(words)) => format!("{is} {}, {words}", in_call(place)),
        _ => format!("{is} {}", in_call(place)),
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `in MPI_Recv (ring.c:12)`
pub(super) fn in_call(place: &Place) -> String {
    match &place.call {
        Some(call) => format!("in {call}{}", at(place)),
        None => in_function(place),
    }
}

fn in_function(place: &Place) -> String {
    format!("in {}{}", place.function.as_deref().unwrap_or("??"), at(place))
}

fn at(place: &Place) -> String {
    place.source.as_ref().map(|source| format!(" ({}:{})", base(&source.file), source.line)).unwrap_or_default()
}
