//! Inspects stopped ranks outside the tracer thread, through snapshots of their threads. Only operations that change
//! something, or need more than a snapshot has, run on the tracer thread afterwards, once the debug information that
//! they need has been read.

use super::arrays::refused;
use super::message_queues::Queues;
use super::observation::Observed;
use super::rehearsals::rehearsal;
use super::snapshot::{Seen, Snapshot};
use super::threads::all_threads::{Listed, all_threads, list, stacks};
use super::threads::many_threads::{Chosen, look_at_each};
use crate::Query;
use crate::message_queues::QueueReader;
use crate::native::inspect::snapshot::Rehearsal;
use crate::native::inspect::snapshot::look_at_thread;
use crate::native::ptrace::Tid;
use crate::native::tracer::outbox::Answers;
use crate::native::tracer::phase::Phase;
use crate::native::tracer::query_queue::Task;
use crate::native::tracer::query_queue::only_looks;
use crate::native::tracer::sampling::{end_samples, require_sampled, sample_later};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Length;
use crate::native::tracer::tracer_shared::Member;
use crate::native::tracer::tracer_shared::Tracer;
use crate::process::process_facts::facts_answer;
use crate::process::procfs::limits_answer;
use debuginfo::Image;
use expr::budget::{Allowance, Budget};
use model::{
    Answer, Failure, FileAddress, Library, LibraryEvents, MyCode, Operation, ProcessPart, ProcessSet, Rank,
    TransactionId,
};
use std::sync::Arc;

/// The subject of an inspection.
enum Subject {
    /// One thread.
    Thread(Snapshot),
    /// A process that has ended.
    Remains(Snapshot),
    /// All threads of a process.
    Threads(Vec<Listed>, MyCode),
    /// All threads of a process, for their frames up to this level.
    Stacks(Vec<Listed>, Option<u32>),
    /// Many threads, for the same operation.
    Each(Vec<Chosen>),
    /// One thread and what the kernel says of it.
    Observed(Box<Observed>),
    /// One rank, for the queue library of its MPI.
    Queues(Box<Queues>),
    /// The files of a process.
    Files(Snapshot, LibraryEvents),
    /// A process, for its limits.
    Limits(Tid),
    /// A process, for what the kernel knows of it.
    Facts(Tid, ProcessPart),
    /// One thread, only to read the debug information that the tracer thread needs afterwards.
    Rehearsal(Snapshot, Rehearsal),
}

/// A rank that is being inspected.
struct Asked {
    rank: Rank,
    subject: Subject,
    allowance: Allowance,
    /// True if others may inspect it meanwhile.
    lingers: bool,
}

/// The inspected ranks with their outcomes, in order.
type Found = Vec<(Asked, Seen<Answer>)>;

impl Subject {
    fn look(&self, operation: &Operation, budget: &Budget) -> Seen<Answer> {
        let operation = operation.sampled().unwrap_or(operation);
        match self {
            Self::Thread(snapshot) => look_at_thread(snapshot, operation, budget),
            Self::Remains(snapshot) => snapshot.look_of_remains(operation, budget),
            Self::Threads(threads, my_code) => list(threads, my_code, budget),
            Self::Stacks(threads, high) => stacks(threads, *high, budget),
            Self::Each(threads) => look_at_each(threads, operation, budget),
            Self::Observed(observed) => observed.look(budget),
            Self::Queues(queues) => queues.look(budget),
            Self::Files(snapshot, events) => Seen::Whole(Answer::Libraries(libraries(snapshot), *events)),
            Self::Limits(pid) => Seen::Whole(limits_answer(*pid)),
            Self::Facts(pid, part) => Seen::Whole(facts_answer(*pid, *part)),
            Self::Rehearsal(snapshot, rehearsal) => match snapshot.look(budget, |thread| rehearsal(thread)) {
                Seen::Missing(images) => Seen::Missing(images),
                Seen::Whole(()) | Seen::Noted((), _) | Seen::Beyond | Seen::Long => Seen::Beyond,
            },
        }
    }
}

/// Returns what is needed to read the message queues of a rank.
fn queues(
    tracee: &mut Tracee,
    rank: Rank,
    reader: &Arc<QueueReader>,
    allowance: Allowance,
) -> Result<Option<Subject>, Failure> {
    if tracee.phase == Phase::Ended {
        return Ok(None);
    }
    tracee.phase.require_stopped()?;
    let (snapshot, reader) = (tracee.inferior.bare_snapshot(), Arc::clone(reader));
    let library = tracee.inferior.spec.settings.queue_library.clone();
    Ok(Some(Subject::Queues(Box::new(Queues { rank, snapshot, reader, library, allowance }))))
}

fn libraries(snapshot: &Snapshot) -> Vec<Library> {
    let files = snapshot.images().iter();
    files
        .map(|loaded| Library {
            path: loaded.name.to_string(),
            address: Some(loaded.bias.loaded(FileAddress(0))),
            debug_information: loaded.image.has_debug_information(),
        })
        .collect()
}

/// Returns what to inspect outside the tracer thread, before or instead of performing an operation.
fn subject(tracee: &mut Tracee, operation: &Operation) -> Result<Option<Subject>, Failure> {
    if tracee.phase == Phase::Ended {
        return Ok(None);
    }
    if operation.needs_stop() {
        tracee.phase.require_stopped()?;
    }
    match operation {
        Operation::Sample(_) => {
            require_sampled(tracee)?;
            subject_of_stopped(tracee, operation.sampled().unwrap_or(operation))
        }
        operation => subject_of_stopped(tracee, operation),
    }
}

/// As [`subject`], of a rank that is as the operation needs it.
fn subject_of_stopped(tracee: &mut Tracee, operation: &Operation) -> Result<Option<Subject>, Failure> {
    match operation {
        Operation::Threads => {
            let my_code = tracee.inferior.spec.settings.my_code.clone();
            Ok(Some(Subject::Threads(all_threads(&mut tracee.inferior), my_code)))
        }
        Operation::ThreadStacks { high, .. } => Ok(Some(Subject::Stacks(all_threads(&mut tracee.inferior), *high))),
        Operation::EachThread { threads, operation } => {
            Ok(Some(Subject::Each(tracee.inferior.chosen(threads, operation)?)))
        }
        Operation::Observe(context) => {
            Ok(Some(Subject::Observed(Box::new(Observed::new(&mut tracee.inferior, *context)?))))
        }
        Operation::Libraries => Ok(Some(Subject::Files(tracee.inferior.bare_snapshot(), tracee.libraries.events()))),
        Operation::Limits => Ok(Some(Subject::Limits(tracee.inferior.process.pid()))),
        Operation::ProcessFacts(part) => Ok(Some(Subject::Facts(tracee.inferior.process.pid(), *part))),
        operation if only_looks(operation) => {
            let tid = tracee.inferior.thread(super::inferior::context_of(operation).thread)?;
            tracee.inferior.note_thread(tid);
            Ok(Some(Subject::Thread(tracee.inferior.snapshot(tid))))
        }
        operation => {
            let Some((context, rehearsal)) = rehearsal(tracee, operation) else { return Ok(None) };
            let Ok(tid) = tracee.inferior.thread(context.thread) else { return Ok(None) };
            Ok(Some(Subject::Rehearsal(tracee.inferior.snapshot(tid), rehearsal)))
        }
    }
}

impl Tracer {
    /// Performs an operation on ranks, by inspecting them or after inspecting them.
    pub(in crate::native) fn look(&mut self, tid: TransactionId, ranks: ProcessSet, operation: Operation) {
        if operation.is_run_control() {
            self.queries.renew_allowances(&ranks);
        }
        let mut answers = Answers::default();
        let (mut asked, mut direct) = (Vec::new(), ProcessSet::new());
        let reader = self.shared.queue_readers.for_request();
        for rank in ranks.iter() {
            let subject = match self.ranks.get_mut(&rank).and_then(Member::tracee) {
                Some(tracee) if operation == Operation::MessageQueues => {
                    queues(tracee, rank, &reader, self.queries.allowance(rank))
                }
                Some(tracee) => subject(tracee, &operation),
                None if operation.outlives_the_process() => {
                    Ok(self.shared.remains.get(&rank).map(|remains| Subject::Remains(remains.snapshot())))
                }
                None => Ok(None),
            };
            match subject {
                Ok(Some(subject)) => {
                    let allowance = self.queries.allowance(rank);
                    let allowance =
                        if matches!(operation, Operation::ListSymbols(..)) { allowance.apart() } else { allowance };
                    asked.push(Asked { rank, subject, allowance, lingers: false });
                }
                Ok(None) => drop(direct.insert(rank)),
                Err(failure) => answers.add(rank, Answer::Failed(failure)),
            }
        }
        self.shared.outbox.answers(tid, answers);
        let busy: ProcessSet = asked.iter().map(|asked| asked.rank).collect();
        let shared = Arc::new(operation.clone());
        if matches!(operation, Operation::ListSymbols(..)) {
            // What is asked after it does not wait: the search of a file waits for an earlier one.
            self.queries.begin(Task::Linger, &busy);
            for asked in asked {
                self.look_long_at(tid, Asked { lingers: true, ..asked }, Arc::clone(&shared));
            }
        } else {
            self.queries.begin(Task::Look, &busy);
            self.look_at(tid, asked, shared, Vec::new());
        }
        if !direct.is_empty() {
            self.carry_out(tid, &direct, operation);
        }
    }

    fn look_at(&mut self, tid: TransactionId, asked: Vec<Asked>, operation: Arc<Operation>, needs: Vec<Arc<Image>>) {
        if asked.is_empty() {
            return;
        }
        self.shared.when_ready(needs, move || {
            let mut found: Found = Vec::with_capacity(asked.len());
            let mut is_long = false;
            for asked in asked {
                // If it takes long in one rank, it will in the others.
                let seen =
                    if is_long { Seen::Long } else { asked.subject.look(&operation, &Budget::quick(&asked.allowance)) };
                is_long |= matches!(seen, Seen::Long);
                found.push((asked, seen));
            }
            Box::new(move |tracer: &mut Tracer| tracer.looked(tid, found, operation))
        });
    }

    /// Performs a long inspection of one rank without holding up shorter ones.
    fn look_long_at(&mut self, tid: TransactionId, asked: Asked, operation: Arc<Operation>) {
        let length = match *operation {
            Operation::ListSymbols(..) => Length::OfFiles,
            _ => Length::OfValues,
        };
        self.shared.at_length(length, move || {
            let seen = asked.subject.look(&operation, &Budget::whole(&asked.allowance));
            Box::new(move |tracer: &mut Tracer| tracer.looked(tid, vec![(asked, seen)], operation))
        });
    }

    fn looked(&mut self, tid: TransactionId, found: Found, operation: Arc<Operation>) {
        let mut answers = Answers::default();
        let (mut done, mut beyond) = (ProcessSet::new(), ProcessSet::new());
        let (mut lingering, mut lingered) = (ProcessSet::new(), ProcessSet::new());
        let (mut again, mut needs): (Vec<_>, Vec<Arc<Image>>) = (Vec::new(), Vec::new());
        let mut later = ProcessSet::new();
        for (mut asked, seen) in found {
            let rank = asked.rank;
            let lingers = asked.lingers;
            match seen {
                Seen::Whole(answer) => answers.add(rank, answer),
                Seen::Noted(answer, noted) => {
                    let value_history = match self.ranks.get_mut(&rank).and_then(Member::tracee) {
                        Some(tracee) => Some(&tracee.inferior.value_history),
                        None => self.shared.remains.get(&rank).map(|remains| &remains.value_history),
                    };
                    if value_history.is_none_or(|value_history| noted.take_over(value_history)) {
                        answers.add(rank, answer);
                    } else {
                        beyond.insert(rank);
                    }
                }
                Seen::Beyond => drop(beyond.insert(rank)),
                Seen::Long => {
                    // A later `print` must get a higher number.
                    if !asked.lingers && !matches!(*operation, Operation::Print { .. }) {
                        asked.lingers = true;
                        lingering.insert(rank);
                    }
                    self.look_long_at(tid, asked, Arc::clone(&operation));
                    continue;
                }
                // A running rank does not wait for files that are being read.
                Seen::Missing(images) if operation.sampled().is_some() => {
                    later.insert(rank);
                    needs.extend(images);
                }
                Seen::Missing(images) => {
                    again.push(asked);
                    needs.extend(images);
                    continue;
                }
            }
            if lingers {
                lingered.insert(rank)
            } else {
                done.insert(rank)
            };
        }
        if let Operation::EachThread { .. } = &*operation {
            // The asker repeats the operation thread by thread.
            let none = Answer::EachThread(Vec::new());
            beyond.iter().for_each(|rank| answers.add(rank, none.clone()));
            beyond = ProcessSet::new();
        }
        if let Some(refused) = refused(&operation) {
            beyond.iter().for_each(|rank| answers.add(rank, refused.clone()));
            beyond = ProcessSet::new();
        }
        self.shared.outbox.answers(tid, answers);
        if !beyond.is_empty() {
            self.carry_out(tid, &beyond, Operation::clone(&operation));
        }
        if !later.is_empty() {
            let query = Query { tid, ranks: later, operation: Operation::clone(&operation) };
            sample_later(self, query, std::mem::take(&mut needs));
        }
        self.look_at(tid, again, operation, needs);
        self.queries.begin(Task::Linger, &lingering);
        let mut held = self.queries.end(Task::Look, &done.union(&lingering));
        held.extend(self.queries.end(Task::Linger, &lingered));
        end_samples(self, &done.union(&lingered));
        held.into_iter().for_each(|query| self.query(query));
    }
}
