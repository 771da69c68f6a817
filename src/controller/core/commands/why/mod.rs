//! `why`: collects where ranks are, finds the text of their calls of MPI, and evaluates its arguments.

mod situations;
mod stays;

use self::situations::{halted, situations};
use self::stays::{find_origins, read_arguments, stay};
use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::investigation::{At, Facts, Investigation, Stay, Step, Wanted};
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::Then;
use crate::report::Content;
use crate::state::{State, StateKind};
use crate::why::{Doing, Place, Texts, holding_thread, position, team_place, why};
use model::{
    Answer, Awaited, Context, Operation, ProcessSet, ProcessState, Rank, TeamWait, ThreadId, USER_FRAME_SEARCH,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Asks all stopped ranks of the job: those of the question may wait for any of them.
pub(in crate::core) fn ask_why(core: &mut Interpreter, id: CommandId, target: Target) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let thread = target.thread;
    let stopped = core.state.ranks.at_rest();
    let investigation = Investigation { asked: target.ranks, thread, next: Step::Stacks };
    core.ask(id, vec![(stopped, stack(thread))], Then::Why(Box::new(investigation)));
}

fn stack(thread: Option<ThreadId>) -> Operation {
    Operation::Stack { thread, low: 0, high: Some(USER_FRAME_SEARCH - 1), most: None }
}

/// Uses the answers; true if the command continues. Failures only leave something unknown.
pub(in crate::core) fn go_on(core: &mut Interpreter, id: CommandId, found: Investigation, answers: Asked) -> bool {
    let Investigation { asked, thread, next } = found;
    let (questions, next) = match next {
        Step::Stacks => {
            let stays = stays_of(core, thread, answers);
            let elsewhere = in_other_threads(&core.state, &stays);
            // A line that names a thread means that one.
            if thread.is_some() || elsewhere.is_empty() {
                read_calls(stays)
            } else {
                (vec![(elsewhere, stack(Some(FIRST)))], Step::FirstThreads(stays))
            }
        }
        Step::FirstThreads(stays) => {
            let first = stays_of(core, Some(FIRST), answers);
            read_calls(with_calls(stays, first))
        }
        Step::Texts(stays, files, texts) => after_texts(core, stays, &files, texts, answers),
        Step::Values(stays, wanted) => {
            let facts = facts(&wanted, answers);
            let questions = threads(&stays, &facts);
            if questions.is_empty() {
                conclude(core, id, &asked, &stays, &facts);
                return false;
            }
            (questions, Step::Threads(stays, facts))
        }
        Step::Threads(stays, mut facts) => {
            let in_calls = of_holders(core, &stays, &mut facts, answers);
            // A line that names a thread means that one.
            if thread.is_some() || in_calls.is_empty() {
                conclude(core, id, &asked, &stays, &facts);
                return false;
            }
            // A rank goes on when the thread does for which the others wait: that one is looked at instead.
            read_calls(with_calls(stays, in_calls))
        }
    };
    core.ask(id, questions, Then::Why(Box::new(Investigation { asked, thread, next })));
    true
}

/// Adds the places of the threads for which ranks wait; returns those that are in calls of MPI, if their ranks wait for no
/// other thread.
fn of_holders(core: &Interpreter, stays: &[Stay], facts: &mut Facts, answers: Asked) -> Vec<Stay> {
    let my_code = core.state.variables.my_code();
    let holders: Vec<ThreadId> = holders(stays, facts).into_keys().collect();
    let mut in_calls = Vec::new();
    for (slot, ranks, answer) in answers.answers {
        let (Answer::Stack(frames), Some(thread)) = (answer, holders.get(slot)) else { continue };
        let there = stay(ranks.clone(), Some(*thread), &frames, &my_code);
        add_places(facts, &ranks, &there.place);
        let ranks: ProcessSet = ranks.iter().filter(|rank| facts.team(rank.0).is_none_or(waits_for_one)).collect();
        if matches!(there.at, At::Call(_)) && !ranks.is_empty() {
            let place = Place { thread: Some(*thread), ..there.place };
            in_calls.push(Stay { ranks, place, ..there });
        }
    }
    in_calls
}

/// True if a thread waits in OpenMP for one other, as far as it is known.
fn waits_for_one(wait: &TeamWait) -> bool {
    match &wait.awaited {
        Awaited::Owner(_) | Awaited::PerhapsOwner(_) => true,
        Awaited::Arrivals { missing: threads, .. } | Awaited::Active { threads, .. } => threads.len() == 1,
        _ => false,
    }
}

/// Adds the place of the threads for which ranks wait. Where such a thread waits in OpenMP itself, the engine knows the
/// call.
fn add_places(facts: &mut Facts, ranks: &ProcessSet, place: &Place) {
    let called = |facts: &Facts, rank: Rank| {
        let (call, _) = facts.team(rank.0)?.first_awaited()?.waits.as_ref()?;
        Some(position(&team_place(place, *call)))
    };
    for rank in ranks.iter() {
        let words = called(facts, rank).unwrap_or_else(|| position(place));
        facts.add_place(&ProcessSet::one(rank), &Arc::from(words));
    }
}

type Questions = Vec<(ProcessSet, Operation)>;

/// The thread that `main` runs in: MPI allows only this one to call it, unless the program asks for more (MPI 4.1,
/// 11.6.2, MPI_THREAD_FUNNELED).
const FIRST: ThreadId = ThreadId(1);

/// Returns where the ranks are that have answered with their stacks.
fn stays_of(core: &Interpreter, thread: Option<ThreadId>, answers: Asked) -> Vec<Stay> {
    let my_code = core.state.variables.my_code();
    let stacks = answers.answers.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Stack(frames) => Some((ranks, frames)),
        _ => None,
    });
    let stacks = by_content(stacks.collect::<Vec<_>>());
    stacks.into_iter().map(|(ranks, frames)| stay(ranks, thread, &frames, &my_code)).collect()
}

/// Returns the ranks whose current thread is not the first and makes no call of MPI, unless it is where it is for a
/// reason that the answer names.
fn in_other_threads(state: &State, stays: &[Stay]) -> ProcessSet {
    let elsewhere = stays.iter().filter(|stay| matches!(stay.at, At::Other(_)));
    let is_in_other = |rank: &Rank| match state.ranks.get(*rank).map(|view| view.state) {
        Some(ProcessState::Stopped(stop)) => stop.thread != FIRST && halted(state, *rank, true).is_none(),
        _ => false,
    };
    elsewhere.flat_map(|stay| stay.ranks.iter()).filter(is_in_other).collect()
}

/// Looks at other threads of ranks where those call MPI: the current one may be of a library, have been stepped, or wait for
/// them.
fn with_calls(mut stays: Vec<Stay>, first: Vec<Stay>) -> Vec<Stay> {
    let in_calls: Vec<Stay> = first.into_iter().filter(|stay| matches!(stay.at, At::Call(_))).collect();
    let elsewhere = stays.iter_mut().filter(|stay| matches!(stay.at, At::Other(_)));
    for stay in elsewhere {
        stay.ranks = in_calls.iter().fold(stay.ranks.clone(), |left, call| left.difference(&call.ranks));
    }
    stays.retain(|stay| !stay.ranks.is_empty());
    stays.extend(in_calls);
    stays
}

/// Reads the files that have calls of MPI.
fn read_calls(stays: Vec<Stay>) -> (Questions, Step) {
    let mut files: BTreeMap<Arc<str>, ProcessSet> = BTreeMap::new();
    for stay in stays.iter().filter(|stay| matches!(stay.at, At::Call(_))) {
        if let (Some(source), Some(first)) = (&stay.place.source, stay.ranks.first()) {
            files.entry(source.file.clone()).or_insert_with(|| ProcessSet::one(first));
        }
    }
    read(stays, files, Texts::new())
}

/// Reads files, each from one rank that has it.
fn read(stays: Vec<Stay>, files: BTreeMap<Arc<str>, ProcessSet>, texts: Texts) -> (Questions, Step) {
    let names = files.keys().cloned().collect();
    let question = |(file, ranks): (Arc<str>, ProcessSet)| (ranks, Operation::Source(file.to_string()));
    (files.into_iter().map(question).collect(), Step::Texts(stays, names, texts))
}

/// Reads the files of callers if arguments are theirs; then evaluates the arguments, and observes the threads.
fn after_texts(
    core: &Interpreter,
    mut stays: Vec<Stay>,
    files: &[Arc<str>],
    mut texts: Texts,
    answers: Asked,
) -> (Questions, Step) {
    let is_first = texts.is_empty();
    // A file that could not be read is not asked for again.
    texts.extend(files.iter().map(|file| (file.clone(), Arc::from(""))));
    for (slot, _, answer) in answers.answers {
        if let (Answer::Source { text, .. }, Some(file)) = (answer, files.get(slot)) {
            if is_first {
                read_arguments(&mut stays, file, &text);
            }
            texts.insert(file.clone(), text);
        }
    }
    let missing = find_origins(&mut stays, &texts);
    if !missing.is_empty() {
        return read(stays, missing, texts);
    }
    let (mut wanted, mut questions) = (Vec::new(), Vec::new());
    for (index, stay) in stays.iter().enumerate() {
        let thread = stay.thread;
        let context = Context { thread, frame: stay.level };
        if let At::Call(call) = &stay.at {
            for expression in call.wanted() {
                wanted.push(Wanted::Value(index, 0, expression.clone()));
                questions.push((stay.ranks.clone(), Operation::Evaluate { context, expression }));
            }
            let of_callers = call.origins.wanted();
            let frame = |caller: usize| stay.callers.get(caller).map(|caller| Context { thread, frame: caller.level });
            for (caller, expression) in &of_callers {
                let Some(context) = frame(*caller) else { continue };
                wanted.push(Wanted::Value(index, *caller, expression.clone()));
                questions.push((stay.ranks.clone(), Operation::Evaluate { context, expression: expression.clone() }));
            }
            let callers: BTreeSet<usize> =
                of_callers.into_iter().map(|(caller, _)| caller).filter(|at| *at > 0).collect();
            for caller in callers {
                let Some(context) = frame(caller) else { continue };
                wanted.push(Wanted::Caller(index, caller));
                questions.push((stay.ranks.clone(), Operation::Observe(context)));
            }
        }
        wanted.push(Wanted::Observation);
        questions.push((observed(stay), Operation::Observe(context)));
    }
    let with_others = stays.iter().filter(|stay| matches!(&stay.at, At::Call(call) if call.has_other_communicator()));
    let in_others = with_others.fold(ProcessSet::new(), |sum, stay| sum.union(&stay.ranks));
    if !in_others.is_empty() {
        wanted.push(Wanted::Queues);
        questions.push((in_others, Operation::MessageQueues));
    }
    let running = running(&core.state);
    if !running.is_empty() {
        wanted.push(Wanted::Observation);
        questions.push((running, Operation::Observe(Context::default())));
    }
    (questions, Step::Values(stays, wanted))
}

/// Of more ranks that compute at one place, only some are observed.
const MOST_OBSERVED: usize = 4096;

/// The ranks of a stay whose threads are observed. Each has its own registers, so there are as many answers as ranks; those
/// of ranks that wait for nobody only tell whether these have moved on, and some of them tell that, too.
fn observed(stay: &Stay) -> ProcessSet {
    let step = stay.ranks.len().div_ceil(MOST_OBSERVED);
    match stay.at {
        At::Other(Doing::Computing | Doing::Library) if step > 1 => stay.ranks.iter().step_by(step).collect(),
        _ => stay.ranks.clone(),
    }
}

/// The running ranks: some of them may not be able to stop.
fn running(state: &State) -> ProcessSet {
    state.ranks.of_kind(StateKind::Running).clone()
}

fn facts(wanted: &[Wanted], answers: Asked) -> Facts {
    let mut facts = Facts::default();
    for (slot, ranks, answer) in &answers.answers {
        match (answer, wanted.get(*slot)) {
            (Answer::Data(datum), Some(Wanted::Value(stay, caller, name))) => {
                if let Some(value) = datum.as_bits().and_then(as_integer) {
                    facts.add_value((*stay, *caller), name, ranks, value);
                }
            }
            (Answer::Observed(observation), Some(Wanted::Caller(stay, caller))) if observation.is_source_newer => {
                facts.add_newer((*stay, *caller), ranks);
            }
            (Answer::ObservedRanks(observed), Some(Wanted::Caller(stay, caller))) => {
                let newer = observed.shared.iter().filter(|(_, shared)| shared.is_source_newer);
                newer.for_each(|(ranks, _)| facts.add_newer((*stay, *caller), ranks));
            }
            (Answer::ObservedRanks(observed), Some(Wanted::Observation)) => {
                observed.each(|rank, observation| facts.add_observation(&ProcessSet::one(rank), &observation));
            }
            (Answer::MessageQueues(queues), Some(Wanted::Queues)) => facts.add_queues(ranks, queues),
            (Answer::Observed(observation), Some(Wanted::Observation)) => facts.add_observation(ranks, observation),
            _ => {}
        }
    }
    facts
}

/// An address or a number of 64 bits.
fn as_integer(bits: u128) -> Option<i64> {
    i64::try_from(bits as i128).ok().or_else(|| u64::try_from(bits).ok().map(|bits| bits as i64))
}

/// Asks where the threads are for which ranks wait.
fn threads(stays: &[Stay], facts: &Facts) -> Questions {
    holders(stays, facts).into_iter().map(|(thread, ranks)| (ranks, stack(Some(thread)))).collect()
}

/// The threads for which ranks wait outside of MPI.
fn holders(stays: &[Stay], facts: &Facts) -> BTreeMap<ThreadId, ProcessSet> {
    let mut of_thread: BTreeMap<ThreadId, ProcessSet> = BTreeMap::new();
    for stay in stays.iter().filter(|stay| matches!(stay.at, At::Other(Doing::Lock(_)))) {
        let call = stay.place.call.as_deref().unwrap_or("");
        for rank in stay.ranks.iter() {
            let wait = facts.observed().get(&rank.0).and_then(|observed| observed.wait.as_ref());
            let awaited = facts.team(rank.0).and_then(TeamWait::first_awaited).map(|thread| thread.id);
            if let Some(thread) = awaited.or_else(|| wait.and_then(|wait| holding_thread(call, wait))) {
                of_thread.entry(thread).or_default().insert(rank);
            }
        }
    }
    of_thread
}

fn conclude(core: &mut Interpreter, id: CommandId, asked: &ProcessSet, stays: &[Stay], facts: &Facts) {
    let situations = situations(&core.state, stays, facts);
    let unseen = stays.iter().map(|stay| stay.ranks.difference(&observed(stay)));
    let unseen = unseen.fold(ProcessSet::new(), |sum, ranks| sum.union(&ranks));
    core.last_looks.add(&situations, facts.observed(), &unseen);
    core.state.unmoved = core.last_looks.unmoved();
    let answer = why(&situations, asked, &core.last_looks);
    core.say(id, Content::Why(answer));
}
