//! `snapshot` and `compare snapshot`: reads the values of variables at this stop, each variable by itself, so that those
//! that ranks share are kept once; then keeps them, or compares them with those of a snapshot.

use crate::command::{CommandId, SnapshotOrder};
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::taking::{Purpose, Stage, Taking};
use crate::core::tasks::task::{Answers, Asked};
use crate::core::tasks::then::{Onward, Then};
use crate::report::{Content, SnapshotChanges, SnapshotReport, SnapshotRow};
use crate::state::{KeptValue, KeptVariable, Shown, Snapshot};
use model::{Answer, Context, ErrorCode, Failure, Frame, Operation, PrintSwitch, ProcessSet, Variable};
use rustc_hash::FxHashMap;

/// The most places, functions and lines, of a snapshot.
const MOST_PLACES: usize = 64;

/// The most variables of a snapshot.
const MOST_VARIABLES: usize = 256;

/// Different values of a variable that are kept each; more are summed up in the servers.
const MOST_VALUES: u32 = 1000;

pub(in crate::core) fn order(core: &mut Interpreter, id: CommandId, target: &Target, order: SnapshotOrder) {
    let purpose = match order {
        SnapshotOrder::Keep(name) => {
            let name = name.unwrap_or_else(|| core.state.snapshots.fresh_name());
            return take(core, id, target, Purpose::Keep, name);
        }
        SnapshotOrder::Compare(name) => {
            let snapshots = &core.state.snapshots;
            let found = name.as_deref().map_or_else(|| snapshots.newest(), |name| snapshots.get(name));
            match found.cloned() {
                Some(snapshot) => Purpose::Compare(Box::new(snapshot)),
                None => {
                    no_snapshot(core, id, name.as_deref());
                    return core.done(id);
                }
            }
        }
        SnapshotOrder::List => {
            core.say(
                id,
                Content::Snapshot(SnapshotReport::Kept(core.state.snapshots.iter().map(SnapshotRow::new).collect())),
            );
            return core.done(id);
        }
        SnapshotOrder::Delete(names) => {
            for name in names {
                if core.state.snapshots.remove(&name) {
                    core.acknowledge(id, format!("deleted snapshot {name}"));
                } else {
                    no_snapshot(core, id, Some(&name));
                }
            }
            return core.done(id);
        }
        SnapshotOrder::DeleteAll => {
            core.state.snapshots.clear();
            core.acknowledge(id, "deleted all snapshots".to_owned());
            return core.done(id);
        }
        // The screen does it by itself; a script has no view.
        SnapshotOrder::CompareNone => return core.done(id),
    };
    take(core, id, target, purpose, String::new());
}

fn no_snapshot(core: &mut Interpreter, id: CommandId, name: Option<&str>) {
    let (words, position) = match name {
        None => ("no snapshot yet: \"snapshot\" takes one".to_owned(), None),
        Some(name) => {
            let known: Vec<&str> = core.state.snapshots.iter().map(|kept| kept.name.as_str()).collect();
            let known =
                if known.is_empty() { "there is none".to_owned() } else { format!("known: {}", known.join(", ")) };
            (format!("no snapshot {name:?}; {known}"), core.position_in_line(id, name, None))
        }
    };
    core.error(id, ProcessSet::new(), words, position);
}

/// Begins to read the values of the stopped ranks.
fn take(core: &mut Interpreter, id: CommandId, target: &Target, purpose: Purpose, name: String) {
    let Some(stopped) = core.stopped_of(id, target) else { return };
    let thread = match &purpose {
        Purpose::Compare(before) => target.thread.or(before.thread),
        Purpose::Keep => target.thread,
    };
    let taken = Snapshot { name, thread, ..Snapshot::default() };
    let taking = Box::new(Taking { purpose, stage: Stage::Places, taken });
    let unknown = match core.frame_of_line {
        Some(_) => ProcessSet::new(),
        None => core.state.select_user_frames(&stopped, thread),
    };
    if unknown.is_empty() {
        ask_places(core, id, &stopped, taking);
    } else {
        core.await_user_frames(id, unknown, thread, Onward::Snapshot(stopped, taking));
    }
}

/// Requests the selected frames.
pub(in crate::core) fn ask_places(core: &mut Interpreter, id: CommandId, stopped: &ProcessSet, taking: Box<Taking>) {
    let thread = taking.taken.thread;
    let parts = match core.frame_of_line {
        Some(level) => vec![(level, stopped.clone())],
        None => core.state.frames.parts(stopped, thread),
    };
    let question = |(low, ranks)| (ranks, Operation::Stack { thread, low, high: Some(low), most: None });
    core.ask(id, parts.into_iter().map(question).collect(), Then::Snapshot(taking));
}

/// Goes on with the answers; true if the command continues.
pub(in crate::core) fn go_on(core: &mut Interpreter, id: CommandId, mut taking: Taking, asked: Asked) -> bool {
    match std::mem::replace(&mut taking.stage, Stage::Places) {
        Stage::Places => places_known(core, id, taking, asked.answers),
        Stage::Names(of) => names_known(core, id, taking, &of, asked.answers),
        Stage::Values(of) => {
            values_known(core, id, taking, &of, asked.answers);
            false
        }
    }
}

fn refused(core: &mut Interpreter, id: CommandId, ranks: &ProcessSet, failure: &Failure) {
    core.error(id, ranks.clone(), failure.message.clone(), None);
}

/// Requests the names of the variables, from one rank of each place.
fn places_known(core: &mut Interpreter, id: CommandId, mut taking: Taking, answers: Answers) -> bool {
    let mut frames: Vec<(ProcessSet, Frame)> = Vec::new();
    for (_, ranks, answer) in answers {
        match answer {
            Answer::Stack(stack) => frames.extend(stack.into_iter().next().map(|frame| (ranks, frame))),
            Answer::Failed(failure) => refused(core, id, &ranks, &failure),
            _ => {}
        }
    }
    // Ranks with other addresses are in the same place.
    let frames = frames.into_iter().map(|(ranks, mut frame)| {
        frame.code.address = None;
        (ranks, frame)
    });
    let places = by_content(frames);
    if places.is_empty() {
        return false;
    }
    if places.len() > MOST_PLACES {
        let words = format!(
            "the ranks are in {} places, and a snapshot has at most {MOST_PLACES}: take one of fewer ranks, \
             \"[SET] snapshot\"",
            places.len()
        );
        core.error(id, ProcessSet::new(), words, None);
        return false;
    }
    if let Purpose::Compare(before) = &taking.purpose {
        let all = places.iter().fold(ProcessSet::new(), |all, (ranks, _)| all.union(ranks));
        let unknown = all.difference(&before.ranks());
        let words = format!("not in snapshot {}, which has ranks {}", before.name, before.ranks());
        if unknown == all {
            core.error(id, unknown, words, None);
            return false;
        }
        if !unknown.is_empty() {
            core.say(id, Content::Missing(unknown, words));
        }
    }
    let mut questions = Vec::new();
    let mut of = Vec::new();
    for (index, (ranks, frame)) in places.iter().enumerate() {
        let Some(first) = ranks.first().map(ProcessSet::one) else { continue };
        let context = Context { thread: taking.taken.thread, frame: frame.level };
        for operation in [Operation::Arguments(context), Operation::Locals(context)] {
            questions.push((first.clone(), operation));
            of.push(index);
        }
    }
    taking.taken.places = places;
    taking.stage = Stage::Names(of);
    core.ask(id, questions, Then::Snapshot(Box::new(taking)));
    true
}

/// Requests the values of the variables and of the displayed expressions.
fn names_known(core: &mut Interpreter, id: CommandId, mut taking: Taking, of: &[usize], answers: Answers) -> bool {
    let Snapshot { thread, places, variables, .. } = &mut taking.taken;
    let mut wanted: Vec<(String, bool, u32, ProcessSet)> = Vec::new();
    // A program may have any number of variables: each is looked up.
    let mut known: FxHashMap<(String, bool, u32), usize> = FxHashMap::default();
    let mut add = |name: &str, is_displayed: bool, level: u32, ranks: &ProcessSet| {
        let at = *known.entry((name.to_owned(), is_displayed, level)).or_insert(wanted.len());
        match wanted.get_mut(at) {
            Some((.., known)) => known.extend_with(ranks),
            None => wanted.push((name.to_owned(), is_displayed, level, ranks.clone())),
        }
    };
    let mut failures = Vec::new();
    let mut slots = answers;
    slots.sort_by_key(|(slot, ..)| *slot);
    for (slot, ranks, answer) in slots {
        let Some((all, frame)) = of.get(slot).and_then(|index| places.get(*index)) else { continue };
        match answer {
            Answer::Variables(list) => {
                for Variable { name, .. } in list {
                    add(&name, false, frame.level, all);
                }
            }
            // Code without debug information has no variables, but perhaps displayed expressions.
            Answer::Failed(failure) if failure.code != ErrorCode::NO_DEBUG_SYMBOLS => failures.push((ranks, failure)),
            _ => {}
        }
    }
    let displays = core.state.displays.enabled().filter(|(_, displayed)| displayed.place.is_none());
    for (_, displayed) in displays.filter(|(_, displayed)| matches!(displayed.shown, Shown::Value(_))) {
        for (ranks, frame) in places.iter() {
            add(&displayed.expression, true, frame.level, ranks);
        }
    }
    let raw = core.state.variables.print_options().has(PrintSwitch::RawValues);
    let mut questions = Vec::new();
    let mut of = Vec::new();
    let mut left = 0;
    for (name, is_displayed, frame, ranks) in wanted {
        let known = variables.iter().position(|kept| kept.name == name && kept.is_displayed == is_displayed);
        if known.is_none() && variables.len() >= MOST_VARIABLES {
            left += 1;
            continue;
        }
        of.push(known.unwrap_or(variables.len()));
        if known.is_none() {
            variables.push(KeptVariable { name: name.clone(), is_displayed, values: Vec::new() });
        }
        let context = Context { thread: *thread, frame };
        let (limits, picture, unrecorded, most) = (None, None, true, Some(MOST_VALUES));
        let operation = Operation::Print { context, expression: name, raw, limits, unrecorded, most, picture };
        questions.push((ranks, operation));
    }
    for (ranks, failure) in failures {
        refused(core, id, &ranks, &failure);
    }
    if left > 0 {
        let words = format!("{left} variables are left out: a snapshot has at most {MOST_VARIABLES}");
        core.say(id, Content::Text(ProcessSet::new(), words));
    }
    if questions.is_empty() {
        let all = taking.taken.ranks();
        core.error(id, all, "no variables here, and no displayed expressions".to_owned(), None);
        return false;
    }
    taking.stage = Stage::Values(of);
    core.ask(id, questions, Then::Snapshot(Box::new(taking)));
    true
}

fn values_known(core: &mut Interpreter, id: CommandId, mut taking: Taking, of: &[usize], answers: Answers) {
    let mut known: Vec<Vec<(ProcessSet, KeptValue)>> = vec![Vec::new(); taking.taken.variables.len()];
    for (slot, ranks, answer) in answers {
        let value = match answer {
            Answer::Data(datum) => KeptValue::Known(datum),
            Answer::Summary(summary) => KeptValue::Summed(summary),
            Answer::Failed(failure) => KeptValue::Unknown(failure.message),
            _ => continue,
        };
        if let Some(values) = of.get(slot).and_then(|index| known.get_mut(*index)) {
            values.push((ranks, value));
        }
    }
    for (variable, values) in taking.taken.variables.iter_mut().zip(known) {
        variable.values = by_content(values);
    }
    match taking.purpose {
        Purpose::Keep => {
            taking.taken.variables.retain(|variable| !variable.values.is_empty());
            let row = SnapshotRow::new(&taking.taken);
            match core.state.snapshots.keep(taking.taken) {
                Ok(()) => core.say(id, Content::Snapshot(SnapshotReport::Kept(vec![row]))),
                Err(why) => core.error(id, ProcessSet::new(), why, None),
            }
        }
        Purpose::Compare(before) => {
            let limits = core.state.format_options();
            let changes = SnapshotChanges::new(&before, &taking.taken, &limits);
            core.say(id, Content::Snapshot(SnapshotReport::Changes(Box::new(changes))));
        }
    }
}
