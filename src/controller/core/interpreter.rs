//! The context of the commands: the state, the unfinished commands, the open requests, and the output.

use super::due::{Due, DueQueue};
use super::kept_numbers::KeptNumbers;
use super::last_looks::LastLooks;
use super::numbers::Numbers;
use super::outbox::Outbox;
use super::own_frames::OWN;
use super::seen::Seen;
use super::session_history::SessionHistory;
use super::tasks::late_answers::Latecomers;
use super::unplaced::Unplaced;
use super::views::together::Step;
use super::views::view_refresh::ViewRefresh;
use crate::Clock;
use crate::command::{CommandId, Parting};
use crate::core::Effect;
use crate::core::target::Target;
use crate::core::tasks::collecting::Collecting;
use crate::core::tasks::each_thread::EachThread;
use crate::core::tasks::ignored_lines::IgnoredLines;
use crate::core::tasks::occasions::Occasions;
use crate::core::tasks::piping::Piping;
use crate::core::tasks::query::{Owner, Query};
use crate::core::tasks::script::{Script, ScriptLine};
use crate::core::tasks::task::{Doing, Task};
use crate::core::tasks::unfinished_lines::UnfinishedLines;
use crate::report::{Content, Origin, Report};
use crate::saved::SavedSetup;
use crate::state::State;
use model::{Context, ProcessSet, Severity, TransactionId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::Instant;

/// Owned by the controller; the functions of the commands get a reference.
#[derive(Debug)]
pub(in crate::core) struct Interpreter {
    pub(in crate::core) state: State,
    pub(in crate::core) batch: bool,
    /// The running and the stopped ranks of the last stall that the user was told of.
    pub(in crate::core) told_stall: Option<(ProcessSet, ProcessSet)>,
    pub(in crate::core) outbox: Outbox,
    pub(in crate::core) due: DueQueue,
    /// The treatment of the session when an accepted request replaces it.
    pub(in crate::core) parting: Parting,
    /// The number of times the directory of requests was read.
    pub(in crate::core) looks: u64,
    pub(in crate::core) saved: Option<SavedSetup>,
    pub(in crate::core) numbers: Numbers,
    pub(in crate::core) history: SessionHistory,
    pub(in crate::core) queries: FxHashMap<TransactionId, Query>,
    pub(in crate::core) latecomers: Latecomers,
    pub(in crate::core) tasks: BTreeMap<CommandId, Task>,
    /// The loops whose next round is due. Each begins at a tick, so that a loop never keeps its owner from other work.
    pub(in crate::core) rounds: VecDeque<CommandId>,
    pub(in crate::core) occasions: Occasions,
    pub(in crate::core) unfinished_lines: UnfinishedLines,
    pub(in crate::core) collecting: Collecting,
    pub(in crate::core) each_thread: EachThread,
    pub(in crate::core) piping: Piping,
    pub(in crate::core) ignored: IgnoredLines,
    pub(in crate::core) unplaced: Unplaced,
    pub(in crate::core) seen: Option<Seen>,
    /// The frame for which the present line runs; `None`: each rank's selected one.
    pub(in crate::core) frame_of_line: Option<u32>,
    pub(in crate::core) views: ViewRefresh,
    pub(in crate::core) last_looks: LastLooks,
    pub(in crate::core) kept_numbers: KeptNumbers,
    /// True if a command has ended since the last check.
    pub(in crate::core) may_have_changed: bool,
    pub(in crate::core) clock: Clock,
    /// The times of the output are counted from it.
    pub(in crate::core) begun: Instant,
    /// Relative names of the ranks' files count from it.
    pub(in crate::core) directory: PathBuf,
}

impl Interpreter {
    pub(in crate::core) fn new(program: String, batch: bool, saved: Option<SavedSetup>, clock: Clock) -> Self {
        Self {
            state: State { program, ..State::default() },
            batch,
            told_stall: None,
            outbox: Outbox::default(),
            due: DueQueue::default(),
            parting: Parting::Stay,
            looks: 0,
            saved,
            numbers: Numbers::default(),
            history: SessionHistory::default(),
            queries: FxHashMap::default(),
            latecomers: Latecomers::default(),
            tasks: BTreeMap::new(),
            rounds: VecDeque::new(),
            occasions: Occasions::default(),
            unfinished_lines: UnfinishedLines::default(),
            collecting: Collecting::default(),
            each_thread: EachThread::default(),
            piping: Piping::default(),
            ignored: IgnoredLines::default(),
            unplaced: Unplaced::default(),
            seen: None,
            frame_of_line: None,
            views: ViewRefresh::default(),
            last_looks: LastLooks::default(),
            kept_numbers: KeptNumbers::default(),
            may_have_changed: false,
            begun: clock.now(),
            clock,
            directory: PathBuf::new(),
        }
    }

    pub(in crate::core) fn push_report(&mut self, origin: Option<Origin>, content: Content) {
        let Some(content) = self.collecting.take(&self.tasks, origin.as_ref(), content) else { return };
        if let Some(of) = &origin {
            self.finish_lines(of, &content);
        }
        deliver(self, origin, content);
    }

    /// Reports the unfinished lines of a script before its other reports, and at its end.
    fn finish_lines(&mut self, origin: &Origin, content: &Content) {
        if matches!(content, Content::Done { .. }) && origin.root != origin.id {
            return;
        }
        for (ranks, text) in self.unfinished_lines.finish(origin.root) {
            deliver(self, Some(origin.clone()), Content::Text(ranks, text));
        }
    }

    /// Prints text of a script, whose last line may be continued. Without ranks it is the debugger's own.
    pub(in crate::core) fn print(&mut self, id: CommandId, texts: Vec<(ProcessSet, String)>) {
        let Some(origin) = self.tasks.get(&id).map(|task| task.origin.clone()) else { return };
        for (ranks, text) in self.unfinished_lines.print(origin.root, texts) {
            let content = Content::Text(ranks, text);
            let Some(content) = self.collecting.take(&self.tasks, Some(&origin), content) else { continue };
            deliver(self, Some(origin.clone()), content);
        }
    }

    pub(in crate::core) fn report(&mut self, content: Content) {
        self.push_report(None, content);
    }

    pub(in crate::core) fn tell(&mut self, severity: Severity, ranks: ProcessSet, text: &str) {
        self.state.messages.push(severity, ranks.clone(), text);
        self.report(Content::Message(severity, ranks, text.to_owned()));
    }

    /// Requests an effect of the controller's owner; once it has succeeded, `said` is reported.
    pub(in crate::core) fn effect(&mut self, id: CommandId, effect: Effect, said: Option<Content>) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Effect(said.map(Box::new));
        }
        self.outbox.effect(effect);
    }

    /// Returns the commands that run a command, from the innermost.
    pub(in crate::core) fn above(&self, id: CommandId) -> impl Iterator<Item = &Task> {
        let above = |id: CommandId| self.tasks.get(&self.tasks.get(&id)?.parent?);
        std::iter::successors(above(id), move |task| above(task.origin.id))
    }

    /// Returns the context for names: the frame of the line, or each rank's selected one.
    pub(in crate::core) fn context(&self, target: &Target) -> Context {
        Context { thread: target.thread, frame: self.frame_of_line.unwrap_or(OWN) }
    }

    /// Runs lines as a script; true if the command continues.
    pub(in crate::core) fn run_lines(&mut self, id: CommandId, lines: Vec<ScriptLine>, beyond_errors: bool) -> bool {
        let Some(task) = self.tasks.get_mut(&id).filter(|task| task.late.is_none()) else { return false };
        task.doing = Doing::Script(Script::new(lines, beyond_errors));
        self.due.push(Due::NextLine(id));
        true
    }

    /// Releases ranks from barriers that are over.
    pub(in crate::core) fn settle_barriers(&mut self) {
        for (id, here) in self.state.settle_barriers() {
            self.may_have_changed = true;
            if !here.is_empty() {
                self.tell(Severity::Note, here, &format!("all ranks have reached barrier {id}"));
            }
        }
    }

    /// Carries out a step of the selection on the screen.
    pub(in crate::core) fn carry_out(&mut self, step: Step) {
        match step {
            Step::Nothing => {}
            Step::Tell(ranks, words) => self.tell(Severity::Note, ranks, &words),
            Step::Ask(ranks, operation) => {
                let tid = self.send(Owner::Together, ranks.clone(), operation);
                self.views.together.asked(tid, ranks);
            }
        }
    }

    /// Returns the position of a text of a command in its line, with an offset into it.
    pub(in crate::core) fn position_in_line(&self, id: CommandId, text: &str, place: Option<u32>) -> Option<usize> {
        self.tasks.get(&id)?.position_in_line(text, place)
    }
}

/// Gives a content to the command that gathers or pipes those of its lines, else to the user.
fn deliver(core: &mut Interpreter, origin: Option<Origin>, content: Content) {
    let Some(content) = core.each_thread.take(&core.tasks, origin.as_ref(), content) else { return };
    let limits = core.state.format_options();
    core.outbox.report(core.piping.take(&core.tasks, Report { origin, content, limits }));
}
