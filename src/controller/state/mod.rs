//! The front end's model of the job, in the form the screen draws. Only the controller changes it.

mod barriers;
mod displays;
mod downfall;
mod engines;
mod focus;
mod frames;
mod inspection;
mod known_names;
pub mod listed_request;
mod logging;
mod messages;
mod nearest_source;
mod output;
mod places;
mod program_start;
mod ranks;
mod requests;
mod scripts;
mod session;
mod signals;
mod stacks;
mod status_groups;
mod thread_names;
mod user_frames;

pub use displays::{
    Across, AcrossKey, AcrossWish, Displayed, Displays, KeptValue, KeptVariable, MOST_SNAPSHOT_BYTES, MOST_SNAPSHOTS,
    Place, RankValue, Shown, Snapshot, Snapshots,
};
pub use downfall::Downfall;
pub use engines::ForeignEngines;
pub use focus::{Focus, Gaze, Views};
pub use frames::ChosenFrames;
pub use inspection::{
    ArrayTiles, ArrayWish, CodeWish, ComparedBytes, Inspection, Lookup, MemoryWish, RankColours, ShownArray, ShownCode,
    ShownMemory, ShownPage, ShownPart, ShownRegister, ShownVariable, SourceText, TilesVersion, TilesWish, Tiling,
};
pub use listed_request::{Ask, ListedRequest, NotAcceptable};
pub use logging::LogSettings;
pub use messages::{Message, MessageLog};
pub use nearest_source::NearestSource;
pub use output::{OutputLine, OutputLog};
pub use places::Listed;
pub use program_start::ProgramStart;
pub use protocol::reverse::RequestId;
pub use ranks::hosts::{JobHost, JobHosts};
pub use ranks::{RankTable, RankView, StateKind};
pub use requests::Requests;
pub use scripts::{Definition, Scripts};
pub use session::{Phase, SessionInfo};
pub use signals::{SignalRow, SignalRows};
pub use stacks::folded_calls::FoldedCalls;
pub use stacks::folded_stack::FoldedStack;
pub use stacks::sampled_stacks::SampledStacks;
pub use stacks::stack_tree::{CallLine, Looks, StackTree, TreeFrame, TreeNode};
pub use status_groups::{StatusGroup, together};
pub use thread_names::ThreadNames;

use crate::command::{OUTPUT_LINES, RankLayout, Variables};
use model::aif::FormatOptions;
use model::{Breakpoint, BreakpointId, Frame, ProcessSet, ProcessState, Rank, SourcePlace, Stop, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

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
    /// True if the ranks are core files, which nothing can happen to.
    pub is_of_core_files: bool,
    /// The command line of the debugged program as the user gave it, for titles.
    pub program: String,
    /// How the program is started.
    pub start: ProgramStart,
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
    /// The line that was shown last while a rank was stopped.
    pub last_shown: Option<SourcePlace>,
    /// The regular expression that was last searched for in source text.
    pub searched: Option<String>,
    /// The names that the user has given to threads.
    pub thread_names: ThreadNames,
    /// Increases when the lead stops or continues: the screen follows it again.
    pub lead_moves: u64,
    /// The arrangement of ranks on the screen.
    pub layout: RankLayout,
    /// The expression by whose numbers the ranks on the screen are coloured.
    pub colour: Option<String>,
    /// Named sets.
    pub groups: BTreeMap<String, ProcessSet>,
    /// The files of printers that commands have loaded.
    pub printer_files: BTreeSet<String>,
    /// The user's aliases for beginnings of lines.
    pub aliases: BTreeMap<String, String>,
    /// The user's own commands, and those that run by themselves.
    pub scripts: Scripts,
    /// The displayed expressions.
    pub displays: Displays,
    /// The values that were kept at earlier stops.
    pub snapshots: Snapshots,
    /// The settings of `set` and `show`.
    pub variables: Variables,
    /// The ranks whose output is shown; `None`: all.
    pub output_of: Option<ProcessSet>,
    /// How `set logging` logs.
    pub logging: LogSettings,
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

impl State {
    /// Returns the number of ranks in the job; 0 before there is one.
    pub fn size(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns the limits for printed values.
    pub fn format_options(&self) -> FormatOptions {
        FormatOptions::within(self.variables.print_options())
    }

    /// Drops output beyond the user's limit of lines.
    pub fn limit_output(&mut self) {
        self.output.keep(self.variables.get(OUTPUT_LINES) as usize);
    }

    /// Returns the level of the lead's frame that is shown.
    pub fn frame(&self) -> u32 {
        self.frames.level(self.lead, self.thread)
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
