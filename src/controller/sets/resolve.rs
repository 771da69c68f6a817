//! Resolves sets to the ranks that they mean now.

use super::{PREDICATES, SetExpr};
use crate::state::{State, StateKind};
use model::did_you_mean;
use model::{Frame, LocationSpec, ProcessSet, ProcessState, glob_matches};
use std::collections::HashMap;

/// The answers of ranks about the sets of a command.
#[derive(Clone, Debug, Default)]
pub struct ConditionResults {
    /// The ranks on which a condition is true, by the condition's text.
    conditions: HashMap<String, ProcessSet>,
    stacks: Vec<(ProcessSet, Vec<Frame>)>,
}

impl ConditionResults {
    /// Adds ranks on which a condition is true.
    pub fn add_true(&mut self, text: &str, ranks: &ProcessSet) {
        self.conditions.entry(text.to_owned()).or_default().extend_with(ranks);
    }

    /// Adds the stack of ranks.
    pub fn add_stack(&mut self, ranks: ProcessSet, frames: Vec<Frame>) {
        self.stacks.push((ranks, frames));
    }
}

/// The reasons why a set cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// No group has this name.
    #[error("no group {name:?}; {advice}")]
    UnknownGroup {
        /// The name given.
        name: String,
        /// The next step for the user.
        advice: String,
    },
    /// The job does not have these ranks.
    #[error("no rank {ranks}: the job has ranks 0-{last}")]
    BeyondJob {
        /// The ranks named beyond the job's.
        ranks: ProcessSet,
        /// The job's last rank.
        last: u32,
    },
    /// There is no job.
    #[error("no job yet")]
    NoJob,
    /// A location that cannot be compared with the places of ranks.
    #[error("at(*ADDRESS) needs a number, not {0:?}")]
    NoNumber(String),
}

impl SetError {
    /// Returns the place of the fault in the text of the set, in characters from 0.
    pub fn place_in(&self, text: &str) -> Option<usize> {
        match self {
            Self::NoJob => None,
            Self::UnknownGroup { name, .. } => word(text, |word| word == name),
            Self::NoNumber(number) => {
                let at = text.find(number.as_str())?;
                Some(text.get(..at)?.chars().count())
            }
            Self::BeyondJob { last, .. } => word(text, |word| word.parse::<u32>().is_ok_and(|rank| rank > *last)),
        }
    }
}

/// Returns the place of the first matching word that is outside expressions and arguments and no stride or thread.
fn word(text: &str, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut braces, mut arguments) = (0usize, 0usize);
    let mut before = ' ';
    let mut rest = text.char_indices().enumerate().peekable();
    while let Some((place, (at, c))) = rest.next() {
        if is_part(c) {
            let mut end = at + c.len_utf8();
            while let Some((_, (at, c))) = rest.next_if(|(_, (_, c))| is_part(*c)) {
                end = at + c.len_utf8();
            }
            let is_free = braces == 0 && arguments == 0 && !matches!(before, ':' | '.');
            if is_free && text.get(at..end).is_some_and(&fits) {
                return Some(place);
            }
            before = 'a';
            continue;
        }
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '(' if arguments > 0 || before == 'a' => arguments += 1,
            ')' => arguments = arguments.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    None
}

/// Returns the conditions in a set that ranks must evaluate first.
pub fn conditions(set: &SetExpr) -> Vec<&str> {
    match set {
        SetExpr::Condition(text) => vec![text],
        SetExpr::Not(inner) => conditions(inner),
        SetExpr::And(a, b) | SetExpr::Or(a, b) | SetExpr::Minus(a, b) => {
            let mut both = conditions(a);
            both.extend(conditions(b));
            both.sort_unstable();
            both.dedup();
            both
        }
        _ => Vec::new(),
    }
}

/// A condition on a frame.
type FrameTest<'a> = Box<dyn Fn(&Frame) -> bool + 'a>;

/// Returns the condition of a predicate about frames; `None` if the set is none.
fn frame_test<'a>(set: &'a SetExpr, state: &'a State) -> Result<Option<FrameTest<'a>>, SetError> {
    Ok(Some(match set {
        SetExpr::At(LocationSpec::Address(text)) => {
            let number = text.strip_prefix("0x").map_or_else(|| text.parse(), |hex| u64::from_str_radix(hex, 16));
            let address = number.map_err(|_| SetError::NoNumber(text.clone()))?;
            Box::new(move |frame| frame.code.address.is_some_and(|at| at.0 == address))
        }
        SetExpr::At(LocationSpec::Function(name)) | SetExpr::In(name) | SetExpr::Top(name) => {
            Box::new(|frame| frame.function.as_deref().is_some_and(|function| same_function(function, name)))
        }
        SetExpr::At(LocationSpec::FileLine { file, line }) => {
            Box::new(|frame| frame.source.as_ref().is_some_and(|at| at.line == *line && ends_with_path(&at.file, file)))
        }
        SetExpr::At(LocationSpec::Line(line)) => {
            let shown = shown_file(state);
            Box::new(move |frame| {
                frame.source.as_ref().is_some_and(|at| at.line == *line && shown.is_none_or(|file| *at.file == *file))
            })
        }
        _ => return Ok(None),
    }))
}

/// Returns the stopped ranks that satisfy a condition in a frame that their stop names: the innermost, and with `deep`
/// that of the user's code.
fn stopped_where(state: &State, deep: bool, test: &FrameTest<'_>) -> ProcessSet {
    let mut sum = ProcessSet::new();
    for (ranks, rank_state) in state.ranks.groups() {
        if let ProcessState::Stopped(stop) = rank_state
            && (test(&stop.frame) || (deep && stop.user.as_ref().is_some_and(|user| test(&user.frame))))
        {
            sum.extend_with(ranks);
        }
    }
    sum
}

/// Returns the stopped ranks whose stacks decide whether they are in a set: their stops do not say enough.
pub fn needed_stacks(set: &SetExpr, state: &State) -> ProcessSet {
    match set {
        SetExpr::Not(inner) => needed_stacks(inner, state),
        SetExpr::And(a, b) | SetExpr::Or(a, b) | SetExpr::Minus(a, b) => {
            needed_stacks(a, state).union(&needed_stacks(b, state))
        }
        SetExpr::At(_) | SetExpr::In(_) => match frame_test(set, state) {
            Ok(Some(test)) => state.ranks.at_rest().difference(&stopped_where(state, true, &test)),
            _ => ProcessSet::new(),
        },
        _ => ProcessSet::new(),
    }
}

/// Returns the ranks of a set, by their present state and the results of its conditions.
pub fn resolve(set: &SetExpr, state: &State, results: &ConditionResults) -> Result<ProcessSet, SetError> {
    let all = || ProcessSet::all(state.size());
    let kind = |kind| state.ranks.of_kind(kind).clone();
    Ok(match set {
        SetExpr::All => all(),
        SetExpr::None => ProcessSet::new(),
        SetExpr::Focus => state.focus.set.clone(),
        SetExpr::Ranks(ranks) => {
            let beyond = ranks.difference(&all());
            match state.size().checked_sub(1) {
                None => return Err(SetError::NoJob),
                Some(last) if !beyond.is_empty() => return Err(SetError::BeyondJob { ranks: beyond, last }),
                Some(_) => ranks.clone(),
            }
        }
        SetExpr::Group(name) => match state.groups.get(name) {
            Some(ranks) => ranks.clone(),
            None => return Err(unknown_group(name, state)),
        },
        SetExpr::Stopped => kind(StateKind::Stopped),
        SetExpr::Running => kind(StateKind::Running),
        SetExpr::Exited => kind(StateKind::Exited).union(&kind(StateKind::Killed)),
        SetExpr::Lost => kind(StateKind::Lost),
        SetExpr::Held => state.held.clone(),
        SetExpr::At(_) | SetExpr::In(_) | SetExpr::Top(_) => {
            let Some(test) = frame_test(set, state)? else { return Ok(ProcessSet::new()) };
            let deep = !matches!(set, SetExpr::Top(_));
            let mut sum = stopped_where(state, deep, &test);
            for (ranks, frames) in results.stacks.iter().filter(|_| deep) {
                if frames.iter().any(&test) {
                    sum.extend_with(ranks);
                }
            }
            sum
        }
        SetExpr::Host(pattern) => {
            let mut sum = ProcessSet::new();
            for host in state.ranks.hosts().known() {
                if glob_matches(pattern, &host.name) {
                    sum.extend_with(&host.ranks);
                }
            }
            sum
        }
        SetExpr::State(word) => {
            let mut sum = ProcessSet::new();
            for (ranks, rank_state) in state.ranks.groups() {
                if rank_state.word() == word {
                    sum.extend_with(ranks);
                }
            }
            sum
        }
        SetExpr::Condition(text) => results.conditions.get(text).cloned().unwrap_or_default(),
        SetExpr::Not(inner) => all().difference(&resolve(inner, state, results)?),
        SetExpr::And(a, b) => resolve(a, state, results)?.intersection(&resolve(b, state, results)?),
        SetExpr::Or(a, b) => resolve(a, state, results)?.union(&resolve(b, state, results)?),
        SetExpr::Minus(a, b) => resolve(a, state, results)?.difference(&resolve(b, state, results)?),
    })
}

/// Builds the error for an unknown group, with a suggestion.
fn unknown_group(name: &str, state: &State) -> SetError {
    let known = PREDICATES.into_iter().chain(state.groups.keys().map(String::as_str));
    SetError::UnknownGroup { name: name.to_owned(), advice: did_you_mean(name, known, "\"groups\" lists them") }
}

/// Returns the file in which the lead is stopped.
fn shown_file(state: &State) -> Option<&str> {
    match state.ranks.state(state.lead)? {
        ProcessState::Stopped(stop) => stop.frame.source.as_ref().map(|at| &*at.file),
        _ => None,
    }
}

/// True also for `ns::kernel` and `kernel(int)` if `kernel` is wanted.
fn same_function(function: &str, wanted: &str) -> bool {
    let bare = |name: &str| name.split('(').next().unwrap_or(name).to_owned();
    let plain = bare(function);
    function == wanted || plain == wanted || plain.rsplit("::").next() == Some(wanted)
}

/// True if the path ends in these whole components.
pub(crate) fn ends_with_path(path: &str, end: &str) -> bool {
    path == end || path.strip_suffix(end).is_some_and(|front| front.ends_with('/') || end.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::parse_set;
    use crate::state::RankTable;
    use model::{CodePlace, Rank, SourcePlace, Stop, StopReason, ThreadId};

    fn state() -> State {
        let mut state = State { ranks: RankTable::new(8), ..State::default() };
        let stop = |function: &str, line| {
            ProcessState::Stopped(Box::new(Stop {
                reason: StopReason::Step,
                thread: ThreadId(1),
                frame: Frame {
                    level: 0,
                    function: Some(function.into()),
                    source: Some(SourcePlace { file: "/src/ring.c".into(), line }),
                    code: CodePlace { module: None, offset: 0x40, address: None },
                    inlined: false,
                    guessed: false,
                    thread: None,
                },
                note: None,
                cause: None,
                user: None,
            }))
        };
        state.ranks.change(&ProcessSet::range(0, 3), &stop("kernel(int)", 12));
        state.ranks.change(&ProcessSet::range(3, 5), &stop("ns::main", 30));
        state.ranks.change(&ProcessSet::range(5, 6), &ProcessState::Exited(0));
        state.ranks.change(&ProcessSet::range(6, 8), &ProcessState::Running);
        state.ranks.set_host(&ProcessSet::range(0, 4), "node1");
        state.groups.insert("odd".into(), ProcessSet::parse("1,3,5,7").unwrap());
        state.focus.set = ProcessSet::range(0, 2);
        state
    }

    #[test]
    fn sets_mean_what_ranks_do() {
        let state = state();
        let mut results = ConditionResults::default();
        results.add_true("x > 3", &ProcessSet::parse("2,4").unwrap());
        let ProcessState::Stopped(stop) = state.ranks.state(Rank(3)).unwrap().clone() else { panic!() };
        results.add_stack(ProcessSet::parse("1-2").unwrap(), vec![stop.frame]);
        for (text, ranks) in [
            ("all - odd", "0-6:2"),
            (".", "0-1"),
            ("stopped & odd", "1,3"),
            ("!stopped", "5-7"),
            ("exited | running", "5-7"),
            ("in(kernel)", "0-2"),
            ("in(main)", "1-4"),
            ("top(main)", "3-4"),
            ("top(kernel)", "0-2"),
            ("at(ring.c:30)", "1-4"),
            ("at(g.c:30)", ""),
            ("at(12)", "0-2"),
            ("host(node*)", "0-3"),
            ("state(running)", "6-7"),
            ("{x > 3} & in(kernel)", "2"),
            ("none", ""),
        ] {
            let set = parse_set(text).unwrap();
            assert_eq!(resolve(&set, &state, &results).unwrap().to_string(), ranks, "{text}");
        }
    }

    #[test]
    fn stacks_are_needed_only_of_ranks_whose_stops_do_not_decide() {
        let state = state();
        for (text, ranks) in [("in(kernel)", "3-4"), ("!at(ring.c:30) & odd", "0-2"), ("top(kernel)", ""), ("all", "")]
        {
            assert_eq!(needed_stacks(&parse_set(text).unwrap(), &state).to_string(), ranks, "{text}");
        }
    }

    #[test]
    fn unknown_ranks_and_groups_are_errors() {
        let state = state();
        let fails =
            |text| resolve(&parse_set(text).unwrap(), &state, &ConditionResults::default()).unwrap_err().to_string();
        assert_eq!(fails("6-9"), "no rank 8-9: the job has ranks 0-7");
        assert_eq!(fails("even"), "no group \"even\"; \"groups\" lists them");
        assert_eq!(fails("stoped"), "no group \"stoped\"; did you mean \"stopped\"?");
        assert_eq!(fails("all - od"), "no group \"od\"; \"groups\" lists them");
        assert_eq!(fails("odds"), "no group \"odds\"; did you mean \"odd\"?");
        let placed =
            |text| resolve(&parse_set(text).unwrap(), &state, &ConditionResults::default()).unwrap_err().place_in(text);
        for (text, mark) in [
            ("9", "^"),
            ("0-3,9-20", "    ^"),
            ("6-9", "  ^"),
            ("0-2 & (stopped | 8)", "                 ^"),
            ("at(9) | {x > 9} | 0-40:9", "                    ^"),
            ("at(even) | even", "           ^"),
            ("at(*way)", "    ^"),
        ] {
            assert_eq!(placed(text), mark.find('^'), "{text}");
        }
        assert_eq!(conditions(&parse_set("{a} | {b} & {a}").unwrap()), ["a", "b"]);
    }
}
