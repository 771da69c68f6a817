//! Answers of a rank that is a core file.

use super::notes::MappedFile;
use super::rank::{AT_EXECFN, CoreRank};
use super::refusal::Refusal;
use crate::message_queues::QueueReader;
use crate::native::inspect::{
    Member, StoppedThread, answer, context_of, has_runtime, name_in_team, number_in_team, observed_words, read_queues,
    team_wait,
};
use crate::native::only_looks;
use crate::printer_faults::printer_faults;
use crate::process::process_facts::auxiliary_entries;
use expr::budget::Budget;
use model::{
    Answer, Context, ErrorCode, Failure, FileAddress, Frame, Library, LibraryEvents, MappedRange, NamedThread,
    Observation, Operation, ProcessFacts, ProcessPart, Rank, SignalName, SignalTable, TeamWait, ThreadAnswers,
    ThreadId, ThreadInfo, ThreadStackList, USER_FRAME_SEARCH, VirtualAddress,
};

impl CoreRank {
    /// Performs an operation.
    pub(super) fn answer(&mut self, operation: &Operation) -> Answer {
        let operation = operation.sampled().unwrap_or(operation);
        match operation {
            Operation::Configure(settings) => {
                let before = std::mem::replace(&mut self.settings, settings.clone());
                let faults = printer_faults(&before.printers, &settings.printers, &self.expressions);
                faults.map_or_else(Answer::Failed, |()| Answer::Ok)
            }
            // Nothing runs, and no library will be loaded.
            Operation::Interrupt | Operation::StopLooking | Operation::Reevaluate => Answer::Ok,
            Operation::ReachHistory(count) => {
                self.value_history.reach(*count as usize);
                Answer::Ok
            }
            Operation::ListSignals(name) => self.signals(name.as_ref()),
            Operation::Threads => self.threads(),
            Operation::ThreadStacks { high, .. } => self.thread_stacks(*high),
            Operation::Libraries => self.libraries(),
            Operation::Source(file) => self.source_places().search(&self.images).answer(file),
            Operation::ProcessFacts(part) => Answer::ProcessFacts(Box::new(self.facts(*part))),
            Operation::EachThread { threads, operation } => self.each_thread(threads, operation),
            Operation::Observe(context) => self.observe(*context).unwrap_or_else(Answer::Failed),
            operation if only_looks(operation) => self.look_for(operation).unwrap_or_else(Answer::Failed),
            operation => Refusal::of(operation).answer(),
        }
    }

    /// Performs an operation that looks at one thread.
    fn look_for(&self, operation: &Operation) -> Result<Answer, Failure> {
        let index = self.thread(context_of(operation).thread)?;
        let answered = self.look(index, Budget::whole(&self.allowance), |thread| answer(operation, thread))?;
        Ok(answered.unwrap_or_else(|| Refusal::of(operation).answer()))
    }

    /// Returns what gdb does on signals: nothing has changed it.
    fn signals(&self, name: Option<&SignalName>) -> Answer {
        let table = SignalTable::default();
        let rows = match name {
            None => table.rows().to_vec(),
            Some(name) => table.get(name).cloned().into_iter().collect(),
        };
        match name.filter(|_| rows.is_empty()) {
            None => Answer::Signals(rows),
            Some(name) => {
                Answer::Failed(Failure::new(ErrorCode::DEBUGGER, format!("No signal {name} on this system.")))
            }
        }
    }

    fn threads(&self) -> Answer {
        let threads = (0..self.core.notes.threads.len()).map(|index| {
            let read = |thread: &StoppedThread<'_>| {
                let frames = has_runtime(thread.images).then(|| thread.frames(USER_FRAME_SEARCH));
                (self.place(thread), frames.and_then(|frames| number_in_team(thread, &frames)))
            };
            let place = self.look(index, Budget::whole(&self.allowance), read).ok();
            let (place, number) = place.map_or((None, None), |(place, number)| (Some(place), number));
            let (frame, user) = place.map_or((None, None), |(frame, user)| (Some(frame), user));
            let id = ThreadId(u32::try_from(index + 1).unwrap_or(u32::MAX));
            ThreadInfo { id, current: index == 0, name: number.map(name_in_team).unwrap_or_default(), frame, user }
        });
        Answer::Threads(threads.collect())
    }

    /// Reads the stacks of all threads up to a level; of their names, a core file tells only OpenMP's.
    fn thread_stacks(&self, high: Option<u32>) -> Answer {
        let mut list = ThreadStackList::default();
        for index in 0..self.core.notes.threads.len() {
            let id = ThreadId(u32::try_from(index + 1).unwrap_or(u32::MAX));
            let named =
                |number: Option<u32>| NamedThread { id, name: number.map(name_in_team).unwrap_or_default().into() };
            let is_left_out = index >= Operation::MOST_THREADS || list.is_full() || self.allowance.is_stopped();
            let read = |thread: &StoppedThread<'_>| {
                let frames: Vec<Frame> = thread.stack(0, high).frames.into_iter().map(|found| found.frame).collect();
                (number_in_team(thread, &frames), frames)
            };
            match (!is_left_out).then(|| self.look(index, Budget::whole(&self.allowance), read)) {
                Some(Ok((number, frames))) => list.add(named(number), frames),
                Some(Err(_)) | None => list.leave_out(named(None)),
            }
        }
        Answer::ThreadStacks(Box::new(list.finish()))
    }

    /// Returns what the file says of the process; it does not say everything that the kernel knew.
    fn facts(&self, part: ProcessPart) -> ProcessFacts {
        let mut facts = ProcessFacts::default();
        let summary = matches!(part, ProcessPart::Summary | ProcessPart::All);
        let text = |address| self.core.text(address).map(|text| String::from_utf8_lossy(&text).into_owned());
        if summary {
            facts.pid = Some(self.core.notes.pid);
        }
        if summary || part == ProcessPart::CommandLine {
            facts.command_line = Some(self.core.notes.command_line.clone());
        }
        if summary || part == ProcessPart::Executable {
            facts.executable = self.core.notes.auxiliary(AT_EXECFN).and_then(text);
        }
        if part.has_mappings() {
            let mapping = |file: &MappedFile| MappedRange {
                start: VirtualAddress(file.start),
                end: VirtualAddress(file.end),
                offset: file.offset,
                permissions: String::new(),
                file: file.name.clone(),
            };
            facts = facts.with_mappings(self.core.notes.files.iter().map(mapping).collect());
        }
        if part == ProcessPart::AuxiliaryVector {
            facts.auxiliary_vector = Some(auxiliary_entries(&self.core.notes.auxiliary_vector, text));
        }
        facts
    }

    fn libraries(&self) -> Answer {
        let library = |loaded: &debuginfo::LoadedImage| Library {
            path: loaded.name.to_string(),
            address: Some(loaded.bias.loaded(FileAddress(0))),
            debug_information: loaded.image.has_debug_information(),
        };
        Answer::Libraries(self.images.iter().map(library).collect(), LibraryEvents::default())
    }

    fn each_thread(&self, threads: &[ThreadId], operation: &Operation) -> Answer {
        if operation.of_thread(ThreadId(1)).is_none() {
            let words = "This cannot be asked of several threads at once.";
            return Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, words));
        }
        let mut answers = ThreadAnswers::default();
        for id in threads.iter().take(Operation::MOST_THREADS) {
            let Some(operation) = operation.of_thread(*id) else { break };
            answers.add(*id, self.look_for(&operation).unwrap_or_else(Answer::Failed));
            if answers.is_full() || self.allowance.is_stopped() {
                break;
            }
        }
        answers.into_answer()
    }

    /// Reads the message queues of the MPI.
    pub(super) fn queues(&self, rank: Rank, reader: &QueueReader) -> Answer {
        let read = |thread: &StoppedThread<'_>| {
            read_queues(thread, rank, reader, &self.settings.queue_library, &|| self.allowance.is_stopped())
        };
        match self.look(0, Budget::whole(&self.allowance), read) {
            Ok(Ok(queues)) => Answer::MessageQueues(Box::new(queues)),
            Ok(Err(fault)) => Answer::Failed(fault.into()),
            Err(failure) => Answer::Failed(failure),
        }
    }

    /// Observes a thread: it never gets any further, and the kernel knows nothing of it any more.
    fn observe(&self, context: Context) -> Result<Answer, Failure> {
        let index = self.thread(context.thread)?;
        let seen = self.look(index, Budget::whole(&self.allowance), |thread| observed_words(thread, context.frame))?;
        let team = self.team_wait(index).map(Box::new);
        Ok(Answer::Observed(Box::new(Observation { ran: Some(0), pid: self.core.notes.pid, team, ..seen })))
    }

    /// Returns the wait of a thread in OpenMP, as the stacks of all threads show it.
    fn team_wait(&self, index: usize) -> Option<TeamWait> {
        let id = |index: usize| ThreadId(u32::try_from(index + 1).unwrap_or(u32::MAX));
        let read = |index: usize| {
            let read = |thread: &StoppedThread<'_>| Member::read(thread, id(index), &self.settings.my_code, None);
            self.look(index, Budget::whole(&self.allowance), read).unwrap_or_else(|_| Member::unseen(id(index)))
        };
        let own = has_runtime(&self.images).then(|| read(index)).filter(Member::waits)?;
        let others = (0..self.core.notes.threads.len()).filter(|other| *other != index);
        let others =
            others.map(|other| if self.allowance.is_stopped() { Member::unseen(id(other)) } else { read(other) });
        let members: Vec<Member> = std::iter::once(own).chain(others).collect();
        team_wait(&members, id(index))
    }
}
