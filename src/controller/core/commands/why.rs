//! `why`: collects where ranks are, finds the text of their calls of MPI, and evaluates its arguments.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::last_look::Fingerprints;
use crate::core::target::Target;
use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::investigation::{At, Investigation, Stay, Step, Wanted};
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::Then;
use crate::report::Content;
use crate::state::State;
use crate::why::{
    CallValues, Doing, Implementation, Language, Place, Situation, arguments_of_call, library_call, mpi_call, mpi_name,
    why,
};
use model::{Answer, Context, Frame, MyCode, Operation, ProcessSet, ProcessState, USER_FRAME_SEARCH, called_name};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The part of a stack, from the caller of MPI outwards, that shows whether a rank gets any further: counters of loops
/// are in it, or in the registers that functions preserve.
const FINGERPRINT_BYTES: u32 = 4096;
const PRESERVED_REGISTERS: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

/// Asks all stopped ranks of the job: those of the question may wait for any of them.
pub(in crate::core) fn ask_why(core: &mut Interpreter, id: CommandId, target: Target) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let thread = target.thread;
    let operation = Operation::Stack { thread, low: 0, high: Some(USER_FRAME_SEARCH - 1) };
    let stopped = core.state.ranks.at_rest();
    let investigation = Investigation { asked: target.ranks, thread, next: Step::Stacks };
    core.ask(id, vec![(stopped, operation)], Then::Why(Box::new(investigation)));
}

/// Uses the answers; true if the command continues. Failures only leave something unknown.
pub(in crate::core) fn go_on(core: &mut Interpreter, id: CommandId, found: Investigation, answers: Asked) -> bool {
    let Investigation { asked, thread, next } = found;
    match next {
        Step::Stacks => {
            let my_code = core.state.variables.my_code();
            let stacks = answers.answers.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Stack(frames) => Some((ranks, frames)),
                _ => None,
            });
            let stacks = by_content(stacks.collect::<Vec<_>>());
            let stays: Vec<Stay> = stacks.into_iter().map(|(ranks, frames)| stay(ranks, &frames, &my_code)).collect();
            let mut files: BTreeMap<Arc<str>, ProcessSet> = BTreeMap::new();
            for stay in stays.iter().filter(|stay| matches!(stay.at, At::Call(..))) {
                if let (Some(source), Some(first)) = (&stay.place.source, stay.ranks.first()) {
                    files.entry(source.file.clone()).or_insert_with(|| ProcessSet::one(first));
                }
            }
            let names = files.keys().cloned().collect();
            let question = |(file, ranks): (Arc<str>, ProcessSet)| (ranks, Operation::Source(file.to_string()));
            let questions = files.into_iter().map(question).collect();
            let next = Investigation { asked, thread, next: Step::Texts(stays, names) };
            core.ask(id, questions, Then::Why(Box::new(next)));
            true
        }
        Step::Texts(mut stays, files) => {
            for (slot, _, answer) in answers.answers {
                if let (Answer::Source { text, .. }, Some(file)) = (answer, files.get(slot)) {
                    read_arguments(&mut stays, file, &text);
                }
            }
            let mut wanted = Vec::new();
            let mut questions = Vec::new();
            for (index, stay) in stays.iter().enumerate() {
                let At::Call(call, frame) = &stay.at else { continue };
                let context = Context { thread, frame: *frame };
                for expression in call.wanted() {
                    wanted.push(Wanted::Value(index, expression.clone()));
                    questions.push((stay.ranks.clone(), Operation::Evaluate { context, expression }));
                }
                for operation in fingerprint(context) {
                    wanted.push(Wanted::Fingerprint);
                    questions.push((stay.ranks.clone(), operation));
                }
            }
            let next = Investigation { asked, thread, next: Step::Values(stays, wanted) };
            core.ask(id, questions, Then::Why(Box::new(next)));
            true
        }
        Step::Values(stays, wanted) => {
            let mut values = Values::default();
            let mut fingerprints = Fingerprints::new();
            for (slot, ranks, answer) in &answers.answers {
                match (answer, wanted.get(*slot)) {
                    (Answer::Data(datum), Some(Wanted::Value(stay, name))) => {
                        if let Some(value) = datum.as_bits().and_then(as_integer) {
                            values.insert(*stay, name, ranks, value);
                        }
                    }
                    (Answer::Memory(..) | Answer::Registers(_), Some(Wanted::Fingerprint)) => {
                        let mut hasher = DefaultHasher::new();
                        answer.hash(&mut hasher);
                        let part = hasher.finish();
                        for rank in ranks.iter() {
                            let print = fingerprints.entry(rank.0).or_default();
                            *print = print.wrapping_add(part);
                        }
                    }
                    _ => {}
                }
            }
            let mut situations = situations(&stays, &values);
            add_others(&core.state, &mut situations);
            let again = core.last_look.again(&situations, fingerprints);
            core.state.unmoved.clone_from(&again);
            core.say(id, Content::Why(why(&situations, &asked, &again)));
            false
        }
    }
}

fn fingerprint(context: Context) -> [Operation; 2] {
    let address = "$sp".to_owned();
    let names = PRESERVED_REGISTERS.map(str::to_owned).to_vec();
    [
        Operation::ReadMemory { context, address, offset: 0, length: FINGERPRINT_BYTES, examined: None },
        Operation::Registers(context, names),
    ]
}

/// An address or a number of 64 bits.
fn as_integer(bits: u128) -> Option<i64> {
    i64::try_from(bits as i128).ok().or_else(|| u64::try_from(bits).ok().map(|bits| bits as i64))
}

fn stay(ranks: ProcessSet, frames: &[Frame], my_code: &MyCode) -> Stay {
    let at = frames.iter().position(|frame| my_code.has(frame));
    // Code of the user without debug information.
    let at = at.or_else(|| frames.iter().position(|frame| is_users_without_source(frame, my_code)));
    let (inside, user) = match at.and_then(|at| frames.split_at_checked(at)) {
        Some((inside, [user, ..])) => (inside, Some(user)),
        _ => (frames, None),
    };
    let caller = user.and_then(|user| user.function.clone());
    let place = Place { call: None, function: caller.clone(), source: user.and_then(|user| user.source.clone()) };
    let named = |frame: &Frame| Some(Arc::from(called_name(frame.function.as_deref()?, caller.as_deref())));
    // A library of the user may be between: then the text of the call is not there.
    let of_mpi = inside.iter().rev().find_map(|frame| Some((frame, mpi_call(frame.function.as_deref()?)?)));
    if let Some((frame, call)) = of_mpi {
        let language = place.source.as_ref().map_or(Language::C, |source| Language::of_file(&source.file));
        let mpi = frame.code.module.as_deref().map_or(Implementation::Unknown, Implementation::of_library);
        let call = CallValues { call, arguments: None, language, mpi };
        let level = user.map_or(frame.level, |user| user.level);
        return Stay { ranks, place: Place { call: named(frame), ..place }, at: At::Call(call, level) };
    }
    let (call, doing) = match (user, inside) {
        (Some(_), []) => (None, Doing::Computing),
        (Some(_), [.., callee]) => {
            let library = callee.code.module.as_deref().map(|path| path.rsplit('/').next().unwrap_or(path));
            let call = named(callee);
            let doing = library_call(call.as_deref().unwrap_or(""), library);
            (call.or_else(|| library.map(Into::into)), doing)
        }
        (None, _) => (inside.first().and_then(named), Doing::Library),
    };
    Stay { ranks, place: Place { call, ..place }, at: At::Other(doing) }
}

fn is_users_without_source(frame: &Frame, my_code: &MyCode) -> bool {
    let module = frame.code.module.as_deref();
    frame.source.is_none() && module.is_some() && my_code.has_place(module, "", frame.function.as_deref())
}

/// Finds the arguments of the calls that are in a file.
fn read_arguments(stays: &mut [Stay], file: &str, text: &str) {
    for stay in stays {
        let Some(source) = stay.place.source.as_ref().filter(|source| *source.file == *file) else { continue };
        if let (At::Call(call, _), Some(name)) = (&mut stay.at, stay.place.call.as_deref()) {
            call.language = call.language.of_text(text);
            let name = match call.language {
                Language::Fortran => format!("mpi_{}", mpi_name(name).unwrap_or_default()),
                Language::C | Language::Cpp => name.to_owned(),
            };
            call.arguments = arguments_of_call(text, source.line, &name, call.language);
        }
    }
}

/// The values of expressions by stay, name and rank.
#[derive(Default)]
struct Values(HashMap<usize, HashMap<String, HashMap<u32, i64>>>);

impl Values {
    fn insert(&mut self, stay: usize, name: &str, ranks: &ProcessSet, value: i64) {
        let of_name = self.0.entry(stay).or_default().entry(name.to_owned()).or_default();
        of_name.extend(ranks.iter().map(|rank| (rank.0, value)));
    }

    fn of(&self, stay: usize, name: &str, rank: u32) -> Option<i64> {
        self.0.get(&stay)?.get(name)?.get(&rank).copied()
    }
}

fn situations(stays: &[Stay], values: &Values) -> Vec<Situation> {
    let mut found: Vec<Situation> = Vec::new();
    let mut known: HashMap<(Place, Doing), usize> = HashMap::new();
    let mut add = |ranks: &ProcessSet, place: &Place, doing: Doing, from_text: bool| {
        let index = *known.entry((place.clone(), doing.clone())).or_insert(found.len());
        match found.get_mut(index) {
            Some(known) => known.ranks.extend_with(ranks),
            None => found.push(Situation { ranks: ranks.clone(), place: place.clone(), doing, from_text }),
        }
    };
    for (index, stay) in stays.iter().enumerate() {
        match &stay.at {
            At::Other(doing) => add(&stay.ranks, &stay.place, doing.clone(), false),
            At::Call(call, _) => {
                for rank in stay.ranks.iter() {
                    let doing = call.doing(&|name| values.of(index, name, rank.0));
                    add(&ProcessSet::one(rank), &stay.place, doing, call.arguments.is_some());
                }
            }
        }
    }
    found
}

/// Adds the ranks that are not stopped, or did not reply.
fn add_others(state: &State, situations: &mut Vec<Situation>) {
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
            _ => Doing::Running,
        };
        situations.push(Situation { ranks, place: Place::default(), doing, from_text: false });
    }
}
