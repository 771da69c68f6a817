//! The front end's model of the job, in the form the screen draws. Only the controller changes it.

mod barriers;
mod displays;
mod downfall;
mod engines;
mod focus;
mod folded_calls;
mod folded_stack;
mod frames;
mod inspection;
pub mod listed_request;
mod messages;
mod nearest_source;
mod output;
mod places;
mod ranks;
mod requests;
mod session;
mod signals;
mod stack_tree;
mod user_frames;

pub use displays::{Displayed, Displays, Shown};
pub use downfall::Downfall;
pub use engines::ForeignEngines;
pub use focus::{Focus, Gaze, Views};
pub use folded_calls::FoldedCalls;
pub use folded_stack::FoldedStack;
pub use frames::ChosenFrames;
pub use inspection::{Inspection, Lookup, ShownRegister, ShownVariable, SourceText};
pub use listed_request::{Ask, ListedRequest, NotAcceptable};
pub use messages::{Message, MessageLog};
pub use nearest_source::NearestSource;
pub use output::{OutputLine, OutputLog};
pub use places::Listed;
pub use protocol::reverse::RequestId;
pub use ranks::{RankTable, RankView, StateKind};
pub use requests::Requests;
pub use session::{Phase, SessionInfo};
pub use signals::{SignalRow, SignalRows};
pub use stack_tree::{StackTree, TreeFrame, TreeNode};

use crate::command::{OUTPUT_LINES, Variables};
use model::aif::FormatOptions;
use model::{
    Breakpoint, BreakpointId, Caught, Cause, EngineName, FloatExceptions, FloatPlace, Frame, FramePlace, ProcessSet,
    ProcessState, Rank, Stop, StopReason, ThreadId, join_processes,
};
use std::collections::BTreeMap;

/// All the data of the front end.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The phase of the session.
    pub phase: Phase,
    /// The session; `None` until the job is ready.
    pub session: Option<SessionInfo>,
    /// True once another front end has taken the session.
    pub is_taken: bool,
    /// True if the ranks were attached to, not started: then they cannot be started again.
    pub is_attached: bool,
    /// The command line of the debugged program as the user gave it, for titles.
    pub program: String,
    /// The exit status of the launcher, once it has ended.
    pub launcher_ended: Option<i32>,
    /// The ranks that have not moved between the last two `why`, having run in between.
    pub unmoved: ProcessSet,
    /// The last output of the launcher of a job that is not ready yet, or failed.
    pub launcher: String,
    /// Every rank's state, host and process id.
    pub ranks: RankTable,
    /// The ranks that brought the job down.
    pub downfall: Downfall,
    /// The ranks of commands that name none.
    pub focus: Focus,
    /// The rank whose stack and variables are shown; a member of the focus when the focus has one.
    pub lead: Rank,
    /// The lead's thread that is shown; `None`: the one that stopped.
    pub thread: Option<ThreadId>,
    /// The selected frames of the ranks, in which names are looked up.
    pub frames: ChosenFrames,
    /// The lines that `list` showed last.
    pub listed: Option<Listed>,
    /// Increases when the lead stops or continues: the screen follows it again.
    pub lead_moves: u64,
    /// Named sets.
    pub groups: BTreeMap<String, ProcessSet>,
    /// The user's aliases for beginnings of lines.
    pub aliases: BTreeMap<String, String>,
    /// The displayed expressions.
    pub displays: Displays,
    /// The settings of `set` and `show`.
    pub variables: Variables,
    /// The ranks whose output is shown; `None`: all.
    pub output_of: Option<ProcessSet>,
    /// Ranks that ignore continue and step.
    pub held: ProcessSet,
    /// Of these, the ranks that wait at each barrier.
    pub barriers: BTreeMap<BreakpointId, ProcessSet>,
    /// The breakpoints of the session.
    pub breakpoints: BTreeMap<BreakpointId, Breakpoint>,
    /// The settings of each signal.
    pub signals: SignalRows,
    /// The ranks under other engines than the session's own.
    pub engines: ForeignEngines,
    /// The output of the ranks.
    pub output: OutputLog,
    /// The unrequested messages to the user.
    pub messages: MessageLog,
    /// The requests for a debugger.
    pub requests: Requests,
    /// The data of the lead rank and the focus for the screen.
    pub inspection: Inspection,
    /// The selection on the screen, as the screen gives it.
    pub gaze: Gaze,
    /// The number of unfinished commands.
    pub busy: usize,
    /// Increases with every change: while it is the same, nothing needs drawing.
    pub revision: u64,
}

/// Ranks in the same state at the same place, for the status line and `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusGroup {
    /// The ranks of the group.
    pub ranks: ProcessSet,
    /// Their state, without load addresses. The thread of a stop is that of the lowest rank.
    pub state: ProcessState,
    /// The thread that stopped, if it is the same on all of them.
    pub thread: Option<ThreadId>,
    /// True if they ignore continue and step.
    pub held: bool,
    /// Their engine, if it is not the session's own.
    pub engine: Option<EngineName>,
}

impl StatusGroup {
    /// Builds a group of ranks that share a state and are not held.
    pub fn new(ranks: ProcessSet, state: &ProcessState) -> Self {
        let thread = match state {
            ProcessState::Stopped(stop) => Some(stop.thread),
            _ => None,
        };
        Self { ranks, state: state.without_addresses(), thread, held: false, engine: None }
    }

    /// Adds ranks at the same place. The group keeps only what all of its ranks share: ranks that finished the same
    /// function returned different values, and stopped in different threads.
    fn join(&mut self, ranks: &ProcessSet, state: &ProcessState) {
        self.ranks.extend_with(ranks);
        if let (ProcessState::Stopped(own), ProcessState::Stopped(other)) = (&mut self.state, state) {
            if own.note != other.note {
                own.note = None;
            }
            if own.reason.is_alike(&other.reason) {
                own.reason.keep_shared(&other.reason);
            } else {
                own.reason = StopReason::Finished(None);
            }
            if own.thread != other.thread {
                self.thread = None;
            }
            own.keep_shared_place(other);
        }
    }
}

impl State {
    /// Returns the number of ranks in the job; 0 before there is one.
    pub fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns the limits for printed values.
    pub fn format_options(&self) -> FormatOptions {
        FormatOptions::within(self.variables.print_limits())
    }

    /// Drops output beyond the user's limit of lines.
    pub fn limit_output(&mut self) {
        self.output.keep(self.variables.get(OUTPUT_LINES) as usize);
    }

    /// Returns the level of the lead's frame that is shown.
    pub fn frame(&self) -> u32 {
        self.frames.level(self.lead, self.thread)
    }

    /// Groups ranks by state, stop reason and place, in the order of their lowest ranks. Threads are not distinguished,
    /// nor instructions of one line, or of one function without lines.
    pub fn status_groups(&self, among: &ProcessSet) -> Vec<StatusGroup> {
        let mut groups: Vec<StatusGroup> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for (ranks, state) in self.ranks.groups() {
            let ranks = ranks.intersection(among);
            for (engine, ranks) in self.engines.parts(&ranks) {
                for (ranks, held) in [(ranks.difference(&self.held), false), (ranks.intersection(&self.held), true)] {
                    if ranks.is_empty() {
                        continue;
                    }
                    let key = (StatusKey::of(state), held, engine);
                    match places.get(&key).and_then(|&i: &usize| groups.get_mut(i)) {
                        Some(group) => group.join(&ranks, state),
                        None => {
                            places.insert(key, groups.len());
                            groups.push(StatusGroup { held, engine, ..StatusGroup::new(ranks, state) });
                        }
                    }
                }
            }
        }
        groups.sort_by_key(|group| group.ranks.first());
        joined_alike(groups)
    }

    /// Returns the lines of a file at which ranks are stopped: innermost frame of the thread that stopped.
    pub fn current_lines(&self, file: &str) -> BTreeMap<u32, ProcessSet> {
        self.lines_of(file, |stop| &stop.frame)
    }

    /// As [`State::current_lines`], with the frames that stand for the stops: those of the user's code.
    pub fn shown_lines(&self, file: &str) -> BTreeMap<u32, ProcessSet> {
        self.lines_of(file, Stop::shown_frame)
    }

    fn lines_of(&self, file: &str, frame: fn(&Stop) -> &Frame) -> BTreeMap<u32, ProcessSet> {
        let mut lines: BTreeMap<u32, ProcessSet> = BTreeMap::new();
        for (ranks, state) in self.ranks.groups() {
            if let ProcessState::Stopped(stop) = state
                && let Some(place) = &frame(stop).source
                && &*place.file == file
            {
                lines.entry(place.line).or_default().extend_with(ranks);
            }
        }
        lines
    }
}

/// Joins ranks that were lost for the same reason into one group, whatever their processes are.
fn joined_alike(groups: Vec<StatusGroup>) -> Vec<StatusGroup> {
    let mut joined: Vec<StatusGroup> = Vec::with_capacity(groups.len());
    for group in groups {
        if !matches!(group.state, ProcessState::Failed(_) | ProcessState::Lost(_)) {
            joined.push(group);
            continue;
        }
        let mut others = joined.iter_mut().filter(|known| (known.held, known.engine) == (group.held, group.engine));
        let alike = others.find_map(|known| match (&mut known.state, &group.state) {
            (ProcessState::Failed(why), ProcessState::Failed(also))
            | (ProcessState::Lost(why), ProcessState::Lost(also)) => {
                join_processes(why, also).then_some(&mut known.ranks)
            }
            _ => None,
        });
        match alike {
            Some(ranks) => ranks.extend_with(&group.ranks),
            None => joined.push(group),
        }
    }
    joined
}

/// The key of a group: ranks with equal keys are one group of `status`.
#[derive(PartialEq, Eq, Hash)]
enum StatusKey<'a> {
    Stopped(ReasonKey<'a>, Option<&'a Cause>, FramePlace<'a>),
    /// In a library; holds the place of the user's code, and the function that it called.
    Called(ReasonKey<'a>, Option<&'a Cause>, FramePlace<'a>, Option<&'a str>),
    Other(&'a ProcessState),
}

/// A reason without values that each rank has of its own: what a function returned, the operands of an instruction.
#[derive(PartialEq, Eq, Hash)]
enum ReasonKey<'a> {
    Finished,
    Float(BreakpointId, FloatExceptions, &'a str, Option<&'a FloatPlace>),
    Other(&'a StopReason),
}

impl<'a> ReasonKey<'a> {
    fn of(reason: &'a StopReason) -> Self {
        match reason {
            StopReason::Finished(_) => Self::Finished,
            StopReason::Caught(id, Caught::Float(trap)) => {
                Self::Float(*id, trap.exceptions, &trap.instruction, trap.before.as_ref())
            }
            other => Self::Other(other),
        }
    }
}

impl<'a> StatusKey<'a> {
    fn of(state: &'a ProcessState) -> Self {
        let ProcessState::Stopped(stop) = state else { return Self::Other(state) };
        let reason = ReasonKey::of(&stop.reason);
        // Every failed assertion ends at the same place of the C library.
        let cause = stop.cause.as_deref();
        match stop.shown_user() {
            Some(user) => Self::Called(reason, cause, user.frame.place(), user.call.as_deref()),
            None => Self::Stopped(reason, cause, stop.frame.place()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CauseKind, CodePlace, Datum, SignalName, SourcePlace};

    fn returned(value: i32) -> ProcessState {
        let code = CodePlace { module: None, offset: 64, address: None };
        let source = Some(SourcePlace { file: "ring.c".into(), line: 21 });
        let frame = Frame {
            level: 0,
            function: Some("main".into()),
            source,
            code,
            inlined: false,
            guessed: false,
            thread: None,
        };
        let value = Datum { descriptor: "is4".into(), data: value.to_be_bytes().to_vec(), type_name: "int".into() };
        let reason = StopReason::Finished(Some(value));
        ProcessState::Stopped(Box::new(Stop {
            reason,
            thread: ThreadId(1),
            frame,
            note: None,
            cause: None,
            user: None,
        }))
    }

    #[test]
    fn a_group_says_only_what_all_its_ranks_say() {
        let mut state = State { ranks: RankTable::new(4), ..State::default() };
        let all = ProcessSet::all(4);
        state.ranks.change(&all, &returned(855));
        let value = |state: &State| match &state.status_groups(&all)[..] {
            [StatusGroup { ranks, state: ProcessState::Stopped(stop), .. }] if *ranks == all => match &stop.reason {
                StopReason::Finished(value) => value.as_ref().map(|value| value.data.clone()),
                reason => panic!("{reason:?}"),
            },
            groups => panic!("{groups:?}"),
        };
        assert_eq!(value(&state), Some(vec![0, 0, 3, 0x57]));
        state.ranks.change(&ProcessSet::one(Rank(1)), &returned(1175));
        state.ranks.change(&ProcessSet::one(Rank(2)), &returned(856));
        assert_eq!(value(&state), None);
    }

    #[test]
    fn ranks_that_failed_for_different_causes_are_different_groups() {
        let mut state = State { ranks: RankTable::new(4), ..State::default() };
        for (rank, text) in [(0, "n > 0"), (1, "n < 9"), (2, "n > 0"), (3, "n > 0")] {
            let ProcessState::Stopped(mut stop) = returned(1) else { panic!() };
            stop.reason = StopReason::Signal(SignalName::parse("SIGABRT").unwrap());
            stop.cause = Some(Box::new(Cause { kind: CauseKind::Assert, text: text.into(), source: None }));
            state.ranks.change(&ProcessSet::one(Rank(rank)), &ProcessState::Stopped(stop));
        }
        let groups = state.status_groups(&ProcessSet::all(4));
        let shown: Vec<_> = groups
            .iter()
            .map(|group| match &group.state {
                ProcessState::Stopped(stop) => (group.ranks.to_string(), stop.cause.as_ref().unwrap().text.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(shown, [("0,2-3".to_owned(), "n > 0".to_owned()), ("1".to_owned(), "n < 9".to_owned())]);
    }

    #[test]
    fn ranks_in_one_function_without_lines_are_one_group_whatever_their_instructions() {
        let mut state = State { ranks: RankTable::new(5), ..State::default() };
        let halted = |function: Option<&str>, module: &str, offset| match returned(1) {
            ProcessState::Stopped(stop) => {
                let code = CodePlace { module: Some(module.into()), offset, address: None };
                let frame = Frame { function: function.map(Into::into), source: None, code, ..stop.frame };
                ProcessState::Stopped(Box::new(Stop { reason: StopReason::Interrupted, frame, ..*stop }))
            }
            other => other,
        };
        let stops = [
            halted(Some("opal_progress"), "libopen-pal.so", 0x40),
            halted(Some("opal_progress"), "libopen-pal.so", 0x48),
            halted(Some("opal_progress"), "libother.so", 0x40),
            halted(None, "libopen-pal.so", 0x40),
            halted(None, "libopen-pal.so", 0x48),
        ];
        for (rank, stop) in (0..).map(Rank).zip(&stops) {
            state.ranks.change(&ProcessSet::one(rank), stop);
        }
        let groups = state.status_groups(&ProcessSet::all(5)).into_iter().map(|group| group.ranks.to_string());
        assert_eq!(groups.collect::<Vec<_>>(), ["0-1", "2", "3", "4"]);
    }

    #[test]
    fn ranks_that_are_held_are_a_group_of_their_own() {
        let mut state = State { ranks: RankTable::new(4), held: ProcessSet::range(1, 3), ..State::default() };
        let all = ProcessSet::all(4);
        let groups = |state: &State| {
            let groups = state.status_groups(&all).into_iter();
            groups.map(|group| (group.ranks.to_string(), group.state.word(), group.held)).collect::<Vec<_>>()
        };
        assert_eq!(groups(&state), [("0,3".into(), "starting", false), ("1-2".into(), "starting", true)]);
        state.ranks.change(&all, &returned(1));
        assert_eq!(groups(&state), [("0,3".into(), "stopped", false), ("1-2".into(), "stopped", true)]);
    }

    #[test]
    fn a_group_names_the_thread_only_when_all_its_ranks_stopped_in_it() {
        let mut state = State { ranks: RankTable::new(3), ..State::default() };
        let all = ProcessSet::all(3);
        let in_thread = |thread| match returned(1) {
            ProcessState::Stopped(stop) => ProcessState::Stopped(Box::new(Stop { thread: ThreadId(thread), ..*stop })),
            other => other,
        };
        state.ranks.change(&all, &in_thread(2));
        let threads = |state: &State| state.status_groups(&all).iter().map(|group| group.thread).collect::<Vec<_>>();
        assert_eq!(threads(&state), [Some(ThreadId(2))]);
        state.ranks.change(&ProcessSet::one(Rank(1)), &in_thread(3));
        assert_eq!(threads(&state), [None]);
    }
}
