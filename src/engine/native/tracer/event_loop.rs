//! The tracer thread: handles wait statuses and requests, and sends reports.

use super::control::ended;
use super::outbox::Answers;
use super::query_queue::QueryQueue;
use super::sampling::sample;
use super::tracee::Tracee;
use super::tracer_shared::Member;
use super::tracer_shared::Tracer;
use super::tracer_shared::{Request, TracerShared};
use crate::interface::no_core_files;
use crate::native::breakpoints::catch_functions::located;
use crate::native::breakpoints::cleaner::BreakpointCleaner;
use crate::native::inspect::inferior::note_rank;
use crate::native::inspect::snapshot::Remains;
use crate::native::ptrace::Process;
use crate::native::ptrace::Program;
use crate::native::ptrace::Status;
use crate::native::ptrace::Tid;
use crate::native::ptrace::WaitPoint;
use crate::native::ptrace::call_off;
use crate::native::ptrace::launch;
use crate::native::ptrace::poll_status;
use crate::native::ptrace::seize;
use crate::native::startup::first_stop::Startup;
use crate::native::startup::follow_fork::{of_awaited_child, of_companion, of_own};
use crate::native::startup::fork::Companion;
use crate::native::tracer::phase::{Halt, Phase};
use crate::process::memory_kills::MemoryKills;
use crate::process::permission::forbidden;
use crate::{Acquisition, OutputTap, Query};
use debuginfo::watch_this_thread;
use model::{
    Answer, ErrorCode, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank, Severity, Stream, TransactionId,
};
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::mpsc::Receiver;

/// The maximum number of wait statuses handled before reports are sent.
const BATCH: usize = 512;

impl Tracer {
    pub(in crate::native) fn new(shared: TracerShared, caretaker: BreakpointCleaner) -> Self {
        Self { ranks: BTreeMap::new(), shared, queries: QueryQueue::default(), closing: None, caretaker }
    }

    /// Handles events until a shutdown is complete.
    pub(in crate::native) fn run(mut self, point: &WaitPoint, incoming: &Receiver<Request>) {
        watch_this_thread();
        loop {
            if self.shared.outbox.is_waiting() {
                // Taking all statuses first lets equal reports of several ranks leave as one.
                self.take_statuses();
            }
            for request in incoming.try_iter() {
                self.serve(request);
            }
            // Before the reports: whoever receives a stop may rely on it.
            self.care_for_guests();
            self.shared.outbox.flush();
            if self.closing.is_some() && !self.ranks.values_mut().any(|member| member.tracee().is_some()) {
                return;
            }
            let limit = self.until_a_call_is_overdue();
            if let Some((tid, status)) = point.sleep(limit) {
                self.dispatch(tid, status);
            }
            if limit.is_some() {
                self.give_up_overdue_calls();
            }
        }
    }

    /// Removes the traps of attached processes while they are stopped, and tells the caretaker of them while they run.
    fn care_for_guests(&mut self) {
        let Self { ranks, caretaker, .. } = self;
        let mut outcome = Ok(());
        let mut there = Vec::new();
        for tracee in ranks.values_mut().filter_map(Member::tracee).filter(|tracee| tracee.startup.is_guest()) {
            if tracee.phase == Phase::Stopped && tracee.inferior.process.threads().are_stopped() {
                tracee.inferior.process.rest();
            }
            there.push(tracee.inferior.process.pid());
            outcome = outcome.and_then(|()| caretaker.tell(&tracee.inferior.process));
        }
        let outcome = outcome.and_then(|()| caretaker.keep(|pid| there.contains(&pid)));
        if let Err(error) = outcome {
            tracing::warn!(
                "cannot start a caretaker; if this server is killed, its breakpoints stay in the \
                attached processes: {error}"
            );
        }
    }

    /// Handles the wait statuses that are available now, up to a limit.
    fn take_statuses(&mut self) {
        for _ in 0..BATCH {
            match poll_status() {
                Ok(Some((tid, status))) => self.dispatch(tid, status),
                _ => return,
            }
        }
    }

    pub(in crate::native) fn dispatch(&mut self, tid: Tid, status: Status) {
        let shared = &mut self.shared;
        if let Some(rank) = shared.owners.get(&tid).copied() {
            let Some(tracee) = self.ranks.get_mut(&rank).and_then(Member::tracee) else { return };
            let observation = tracee.inferior.process.observe(tid, status);
            tracee.on(shared, tid, observation);
            return tracee.settle(shared);
        }
        shared.mask_companion(tid, status);
        match shared.companions.get(&tid).copied() {
            Some(Companion::Within(rank)) => {
                match self.ranks.get_mut(&rank).and_then(Member::tracee) {
                    Some(tracee) => of_companion(tracee, shared, tid, status),
                    // The rank has ended; its memory, with our traps in it, lives on in the companion alone.
                    None => call_off(tid, status),
                }
            }
            Some(Companion::Awaited(rank)) => match self.ranks.get_mut(&rank).and_then(Member::tracee) {
                Some(tracee) => of_awaited_child(tracee, shared, tid, status),
                None => of_own(shared, tid, Companion::Free, status),
            },
            Some(companion @ (Companion::Free | Companion::Kept)) => of_own(shared, tid, companion, status),
            None if matches!(status, Status::Exited(_) | Status::Killed(_)) && self.caretaker.ended(tid) => {}
            None if shared.lent.contains(&tid) => {
                if matches!(status, Status::Exited(_) | Status::Killed(_)) {
                    shared.lent.remove(&tid);
                }
            }
            None => shared.keep_orphan(tid, status),
        }
    }

    fn serve(&mut self, request: Request) {
        match request {
            Request::Acquire(acquisition) => self.acquire(acquisition),
            Request::Query(query) => self.query(query),
            Request::GiveAway(rank, reply) => self.give_away(rank, reply),
            Request::Continue(continuation) => continuation(self),
            Request::Prepared => self.shared.prepared(),
            Request::Shutdown(kill) => self.shut_down(kill),
        }
    }

    fn shut_down(&mut self, kill: bool) {
        let kill = kill || self.closing == Some(true);
        self.closing = Some(kill);
        self.queries.stop_all_looks();
        // The end does not overtake them: it would kill the ranks, or leave the requests without an answer.
        let mut detaches = self.queries.take_detaches();
        detaches.extend(self.shared.held.extract_if(.., |held| held.operation == Operation::Detach));
        for Query { tid, ranks, operation } in detaches {
            self.carry_out(tid, &ranks, operation);
        }
        let shared = &mut self.shared;
        if !kill {
            shared.outputs.stay();
        }
        for tracee in self.ranks.values_mut().filter_map(Member::tracee) {
            // A shutdown kills neither attached processes nor those that are being detached, or have just been.
            let is_being_detached = matches!(tracee.phase, Phase::Halting(Halt::Detach) | Phase::Ended);
            if kill && !tracee.startup.is_guest() && !is_being_detached && !tracee.calls.detaches() {
                // Whatever the kernel does meanwhile, its end was asked for.
                tracee.memory_kills = MemoryKills::default();
                tracee.inferior.process.kill();
            } else {
                tracee.let_go(shared);
            }
        }
    }

    fn acquire(&mut self, acquisition: Acquisition) {
        match acquisition {
            Acquisition::Launch { first, count, size, spec, mut inputs } => {
                for rank in (first.0..).take(count as usize).map(Rank) {
                    let input = inputs.remove(&rank);
                    if self.is_free(rank) {
                        self.launch(rank, size, &spec, input);
                    }
                }
            }
            Acquisition::Join { rank, pid, spec, stdout, stderr, ready } => {
                let outcome = self.join(rank, pid, spec);
                if outcome.is_ok() {
                    let taps = [(Stream::Stdout, stdout), (Stream::Stderr, stderr)];
                    for (stream, tap) in taps {
                        if let Some(tap) = tap {
                            self.shared.outputs.add(rank, stream, tap);
                        }
                    }
                }
                // The process that joins may have ended; its wait status will report that.
                let _ = ready.send(outcome);
            }
            Acquisition::Attach { rank, pid, spec, adoption } => self.attach(rank, pid, spec, adoption),
            Acquisition::TakeOver { handed, ready } => self.take_over(handed, ready),
            Acquisition::OpenCores { cores, .. } => self.shared.outbox.report(no_core_files("native", &cores)),
        }
    }

    /// True if no process has this rank; reports an error otherwise.
    pub(in crate::native) fn is_free(&mut self, rank: Rank) -> bool {
        let Some(tracee) = self.ranks.get_mut(&rank).and_then(Member::tracee) else { return true };
        let message = format!("process {} is already this rank; end it first", tracee.inferior.process.pid());
        tracee.report(&mut self.shared, Event::Message(Severity::Error, message));
        false
    }

    fn launch(&mut self, rank: Rank, size: u32, spec: &LaunchSpec, input: Option<OwnedFd>) {
        let fill = |text: &str| text.replace("{rank}", &rank.to_string()).replace("{size}", &size.to_string());
        let own = [("RANKSCOPE_RANK", rank.to_string()), ("RANKSCOPE_SIZE", size.to_string())];
        let own = own.map(|(key, value)| (key.to_owned(), value));
        let program = Program {
            name: spec.program.clone(),
            arguments: spec.arguments.iter().map(|argument| fill(argument)).collect(),
            directory: spec.directory.clone(),
            environment: own
                .into_iter()
                .chain(spec.environment.iter().map(|(key, value)| (key.clone(), fill(value))))
                .collect(),
            unset: spec.unset.clone(),
            input,
            randomise: spec.randomise,
        };
        let launched = match launch(&program) {
            Ok(launched) => launched,
            Err(error) => return self.lose(rank, error.message),
        };
        for (stream, source) in [(Stream::Stdout, launched.stdout), (Stream::Stderr, launched.stderr)] {
            self.shared.outputs.add(rank, stream, OutputTap { source, forward: None });
        }
        self.admit(rank, launched.pid, spec.clone(), Some(launched.failure));
    }

    fn join(&mut self, rank: Rank, pid: Tid, spec: LaunchSpec) -> Result<(), String> {
        if !self.is_free(rank) {
            return Err(format!("another process is already rank {rank}"));
        }
        if let Err(errno) = seize(pid) {
            let message = forbidden(pid, errno);
            self.lose(rank, message.clone());
            return Err(message);
        }
        self.admit(rank, pid, spec, None);
        Ok(())
    }

    /// Makes a seized process a rank.
    fn admit(&mut self, rank: Rank, pid: Tid, spec: LaunchSpec, failure: Option<crate::native::ptrace::LaunchFailure>) {
        match Process::new(pid) {
            Ok(process) => {
                let mut tracee =
                    Tracee::new(rank, process, spec, Startup::of_launched(failure), &self.shared.expressions);
                tracee.inferior.value_history = self.shared.remains.remove(&rank).unwrap_or_default().value_history;
                note_rank(&tracee.inferior, rank);
                self.shared.owners.insert(pid, rank);
                tracee.report(&mut self.shared, Event::Acquired { pid: pid as u32 });
                self.ranks.insert(rank, Member::Live(Box::new(tracee)));
                for status in self.shared.adopt(pid) {
                    self.dispatch(pid, status);
                }
            }
            Err(error) => {
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
                self.shared.companions.insert(pid, Companion::Free);
                self.lose(rank, format!("cannot read the memory of process {pid}: {error}"));
            }
        }
    }

    /// Reports that a rank could not be started or attached.
    pub(in crate::native) fn lose(&mut self, rank: Rank, message: String) {
        let none = TransactionId::default();
        self.shared.outbox.event(none, rank, Event::Failed(message));
        self.ranks.insert(rank, Member::Gone);
    }

    /// Reports the end of a rank after all its output has been reported.
    pub(in crate::native) fn bury(&mut self, rank: Rank, tid: TransactionId, event: Event) {
        if let Some(Member::Live(tracee)) = self.ranks.insert(rank, Member::Gone) {
            self.shared.remains.insert(rank, tracee.inferior.remains());
        }
        self.shared.outbox.event(tid, rank, event);
    }

    /// Calls `act` with a rank if it still exists.
    pub(in crate::native) fn with(&mut self, rank: Rank, act: impl FnOnce(&mut Tracee, &mut TracerShared)) {
        if let Some(tracee) = self.ranks.get_mut(&rank).and_then(Member::tracee) {
            act(tracee, &mut self.shared);
            tracee.settle(&mut self.shared);
        }
    }

    pub(in crate::native) fn query(&mut self, query: Query) {
        match query.operation {
            Operation::Interrupt | Operation::Terminate | Operation::Detach => self.queries.stop_looks(&query.ranks),
            Operation::StopLooking => {
                self.queries.stop_looks(&query.ranks);
                return self.shared.outbox.answer(query.tid, query.ranks, Answer::Ok);
            }
            _ => {}
        }
        let Some(query) = self.hold_for_calls(query) else { return };
        let Some(Query { tid, ranks, operation }) = self.queries.admit(query) else { return };
        match operation {
            Operation::Source(file) => self.source(tid, ranks, file),
            Operation::WriteCore(directory) => self.write_cores(tid, &ranks, directory),
            operation @ Operation::Sample(_) => sample(self, Query { tid, ranks, operation }),
            operation => self.look(tid, ranks, operation),
        }
    }

    /// Performs an operation whose debug information has been read, or which reads it itself.
    pub(in crate::native) fn carry_out(&mut self, tid: TransactionId, ranks: &ProcessSet, operation: Operation) {
        match operation {
            Operation::SetBreakpoint(request) if located(&request.point).is_some() => {
                self.set_breakpoint(tid, ranks, &request);
            }
            Operation::Until(ref location, context)
            | Operation::Advance(ref location, context)
            | Operation::Jump(ref location, context) => {
                self.run_to(tid, ranks, location, context, &operation);
            }
            Operation::UseEngine(_) => self.give_away_now(ranks),
            Operation::Evaluate { .. } | Operation::Print { .. } => self.evaluate(tid, ranks, &operation),
            Operation::ReachHistory(count) => self.reach_history(tid, ranks, count),
            operation => {
                let mut answers = Answers::default();
                for rank in ranks.iter() {
                    let answer = self.ask(rank, &operation, |tracee, shared| {
                        tracee.perform(shared, tid, &operation).unwrap_or_else(Answer::Failed)
                    });
                    answers.add(rank, answer);
                }
                self.shared.outbox.answers(tid, answers);
            }
        }
    }

    /// Adds the values of commands for other ranks to the value histories of ranks, also of those that have ended.
    fn reach_history(&mut self, tid: TransactionId, ranks: &ProcessSet, count: u32) {
        for rank in ranks.iter() {
            let value_history = match self.ranks.get_mut(&rank).and_then(Member::tracee) {
                Some(tracee) => Some(&tracee.inferior.value_history),
                None => self.shared.remains.get(&rank).map(|remains| &remains.value_history),
            };
            if let Some(value_history) = value_history {
                value_history.reach(count as usize);
            }
        }
        self.shared.outbox.answer(tid, ranks.clone(), Answer::Ok);
    }

    /// Performs an operation on a rank; answers for one that has ended.
    pub(in crate::native) fn ask(
        &mut self,
        rank: Rank,
        operation: &Operation,
        act: impl FnOnce(&mut Tracee, &mut TracerShared) -> Answer,
    ) -> Answer {
        match self.ranks.get_mut(&rank) {
            None => Answer::Failed(Failure::new(ErrorCode::NOT_STARTED, "This rank was not started by this server.")),
            Some(Member::Gone) => ended(operation).unwrap_or_else(Answer::Failed),
            Some(Member::Live(tracee)) => {
                let answer = act(tracee, &mut self.shared);
                tracee.settle(&mut self.shared);
                answer
            }
        }
    }

    /// Reads a source file outside the tracer thread.
    fn source(&mut self, tid: TransactionId, ranks: ProcessSet, file: String) {
        let of_rank = |rank| match self.ranks.get_mut(&rank).and_then(Member::tracee) {
            Some(tracee) => Some(tracee.inferior.sources()),
            None => self.shared.remains.get(&rank).map(Remains::sources),
        };
        let search = ranks.iter().find_map(of_rank).unwrap_or_default();
        self.shared.later(move || {
            let answer = search.answer(&file);
            Box::new(move |tracer: &mut Tracer| tracer.shared.outbox.answer(tid, ranks, answer))
        });
    }
}
