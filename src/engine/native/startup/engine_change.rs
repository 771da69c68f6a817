//! Ranks that go to another engine, and ranks that come from one.

use super::first_stop::{Begin, Fresh};
use super::program::Libraries;
use crate::native::breakpoints::catch_functions::located;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::Rehearsal;
use crate::native::inspect::{StoppedThread, answer};
use crate::native::ptrace::Process;
use crate::native::ptrace::Signals;
use crate::native::ptrace::Tid;
use crate::native::ptrace::Untaken;
use crate::native::startup::arriving::Arriving;
use crate::native::startup::arriving::Ready;
use crate::native::startup::arriving::Reply;
use crate::native::tracer::phase::{Halt, Phase, not_run, running};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Member;
use crate::native::tracer::tracer_shared::Tracer;
use crate::native::tracer::tracer_shared::{Request, TracerShared};
use crate::process::permission::forbidden;
use crate::{Handed, Keeper, Query, Refusal, portable};
use debuginfo::{ImageError, StackFrame};
use model::{
    BreakpointId, BreakpointRequest, Context, EngineName, ErrorCode, Failure, Operation, Point, ProcessSet, Rank,
    SignalName, TransactionId,
};
use std::sync::{Arc, PoisonError};

impl Tracer {
    /// Gives a rank away when it is its turn: what it was asked before comes first.
    pub(in crate::native) fn give_away(&mut self, rank: Rank, reply: Reply) {
        self.shared.leaving.insert(rank, reply);
        let (tid, ranks) = (TransactionId::default(), ProcessSet::one(rank));
        self.query(Query { tid, ranks, operation: Operation::UseEngine(EngineName::Native) });
    }

    /// It is the turn of these ranks: those that come from another engine are here, the others go.
    pub(in crate::native) fn give_away_now(&mut self, ranks: &ProcessSet) {
        for rank in ranks.iter() {
            match self.shared.leaving.remove(&rank) {
                Some(reply) => self.part_with(rank, reply),
                None => self.with(rank, Tracee::arrive_here),
            }
        }
    }

    fn part_with(&mut self, rank: Rank, reply: Reply) {
        let shared = &mut self.shared;
        let tracee = self.ranks.get_mut(&rank).and_then(Member::tracee);
        let handed = match tracee.ok_or_else(not_run).and_then(|tracee| tracee.hand(shared)) {
            Ok(handed) => handed,
            Err(failure) => return drop(reply.send(Err(failure))),
        };
        if let Some(Member::Live(tracee)) = self.ranks.remove(&rank) {
            shared.remains.insert(rank, tracee.inferior.remains());
        }
        shared.owners.retain(|_, owner| *owner != rank);
        // It may be our child: what becomes of it is told to its next tracer first, and then to us.
        shared.lent.insert(handed.pid);
        shared.outputs.withdraw(rank, move |taps| {
            // Whoever asked waits for it.
            let _ = reply.send(Ok(Box::new(Handed { taps, ..handed })));
        });
    }

    /// Takes a rank over that another engine has given away.
    pub(in crate::native) fn take_over(&mut self, handed: Box<Handed>, ready: Ready) {
        let rank = handed.rank;
        let refuse = |handed, code, message: String, ready: Ready| {
            let _ = ready.send(Err(Refusal { handed, failure: Failure::new(code, message) }));
        };
        if self.ranks.get_mut(&rank).and_then(Member::tracee).is_some() {
            return refuse(handed, ErrorCode::DEBUGGER, format!("another process is rank {rank} already"), ready);
        }
        let process = match Process::take_over(handed.pid, handed.guest, &handed.threads, handed.current) {
            Ok(process) => process,
            Err(Untaken::Ended) => {
                return refuse(handed, ErrorCode::NOT_RUN, "the process has ended".to_owned(), ready);
            }
            Err(Untaken::Refused(errno)) => {
                let message = forbidden(handed.pid, errno);
                return refuse(handed, ErrorCode::DEBUGGER, message, ready);
            }
        };
        let shared = &mut self.shared;
        shared.lent.remove(&handed.pid);
        let tids: Vec<Tid> = process.threads().iter().map(|thread| thread.tid).collect();
        shared.owners.extend(tids.iter().map(|tid| (*tid, rank)));
        let points = handed.points_numbered(|tid| process.thread(tid).map(|thread| thread.number));
        let mut tracee = Tracee::new(rank, process, handed.spec.clone(), None, &shared.expressions);
        tracee.inferior.value_history = shared.remains.remove(&rank).unwrap_or_default().value_history;
        tracee.resume_from(&handed);
        shared.controls.lock().unwrap_or_else(PoisonError::into_inner).insert(rank, handed.tid);
        let Handed { taps, keeper, sites, .. } = *handed;
        shared.outputs.accept(taps);
        let (mut others, mut notes) = (Vec::new(), Vec::new());
        for request in points {
            if located(&request.point).is_none() {
                others.push(request);
            } else if let Err(failure) = tracee.breakpoints.add(&mut tracee.inferior, request.clone()) {
                notes.push(left_behind(&request, &failure));
            }
        }
        for (id, sites) in sites {
            if let Some(breakpoint) = tracee.breakpoints.points.get_mut(&id) {
                breakpoint.sites = sites;
            }
        }
        tracee.arriving = Some(Arriving { points: others, notes, ready, keeper });
        tracee.find_beginning(shared, Begin::Nowhere, Tracee::move_in);
        self.ranks.insert(rank, Member::Live(Box::new(tracee)));
    }
}

fn left_behind(request: &BreakpointRequest, failure: &Failure) -> String {
    format!("{} {} could not be taken along: {}", request.point.word(), request.id, failure.message)
}

impl Breakpoints {
    /// What the user has set, in words that another engine understands.
    fn portable_points(&mut self, inferior: &mut Inferior) -> Vec<BreakpointRequest> {
        let ids: Vec<_> = self.points.keys().copied().collect();
        let mut points = Vec::new();
        for id in ids {
            let context = self.watch_place(inferior, id);
            let Some(breakpoint) = self.points.get(&id) else { continue };
            let mut request = portable(&breakpoint.request, &breakpoint.sites);
            if let (Point::Watch(watch), Some(context)) = (&mut request.point, context) {
                watch.context = context;
            }
            points.push(request);
        }
        points
    }

    fn plant(&mut self, inferior: &mut Inferior, request: &BreakpointRequest) -> Result<(), Failure> {
        let Point::Watch(watch) = &request.point else { return self.set_catchpoint(inferior, request).map(drop) };
        let context = watch.context;
        self.add(inferior, request.clone())?;
        if request.enabled {
            self.arm_watchpoint(inferior, request.id, Some(context)).map(drop)?;
        }
        Ok(())
    }

    /// Where the names of a watchpoint are to be looked up as the stack is now; `None`: it is none.
    fn watch_place(&mut self, inferior: &mut Inferior, id: BreakpointId) -> Option<Context> {
        let asked = self.watch_context(id)?;
        let Some((tid, frame)) = self.watched_frame(id) else {
            // Names of no frame mean the same anywhere.
            return Some(if self.is_watching(id) {
                Context { thread: Some(inferior.number(inferior.current)), frame: 0 }
            } else {
                asked
            });
        };
        let frames = inferior.look(tid, |thread| thread.stack(0, None).frames);
        let same = |other: &StackFrame| other.cfa == frame.cfa && other.frame.function == frame.frame.function;
        let level = frames.iter().position(same).unwrap_or(0);
        Some(Context { thread: Some(inferior.number(tid)), frame: level as u32 })
    }
}

impl Tracee {
    /// Lets go of the stopped process; what has to be known of it.
    fn hand(&mut self, shared: &mut TracerShared) -> Result<Handed, Failure> {
        match self.phase {
            Phase::Stopped => {}
            Phase::Ended => return Err(not_run()),
            _ => {
                let message = "the rank is running: halt it first, then hand it over";
                return Err(Failure { message: message.to_owned(), ..running() });
            }
        }
        let (rank, pid) = (self.rank, self.inferior.process.pid());
        if self.is_between_two(shared) {
            let message = "it is starting another process (vfork) just now: step on first";
            return Err(Failure::new(ErrorCode::DEBUGGER, message));
        }
        if !self.inferior.process.threads().can_be_given_away() {
            let message = "its first thread has ended: no other debugger can take the process over";
            return Err(Failure::new(ErrorCode::DEBUGGER, message));
        }
        if !self.inferior.left_calls.is_empty() {
            let message = "a function that an expression called has been stopped in: finish it first";
            return Err(Failure::new(ErrorCode::DEBUGGER, message));
        }
        let (points, sites) = (self.breakpoints.portable_points(&mut self.inferior), self.breakpoints.all_sites());
        let threads = self.inferior.process.threads().iter().map(|thread| (thread.tid, thread.number)).collect();
        let Signals { undelivered, unheard } = self.inferior.process.give_away(self.inferior.current);
        let undelivered = undelivered.into_iter().map(|(tid, signal)| (tid, SignalName::from_number(signal)));
        Ok(Handed {
            rank,
            pid,
            guest: self.guest,
            spec: self.inferior.spec.clone(),
            tid: self.control,
            threads,
            current: self.inferior.current,
            points,
            sites,
            signals: self.signals.clone(),
            undelivered: undelivered.collect(),
            unheard,
            taps: crate::process::output::Taps::default(),
            keeper: Keeper::default(),
        })
    }

    /// Takes over what another engine knew.
    fn resume_from(&mut self, handed: &Handed) {
        self.phase = Phase::Halting(Halt::Arrival);
        self.starting = false;
        self.guest = handed.guest;
        self.control = handed.tid;
        self.signals = handed.signals.clone();
        self.inferior.program.generation = 1;
        self.inferior.program.version = 1;
        self.inferior.program.loading = 1;
        self.inferior.program.libraries = Libraries::of_running();
        if self.inferior.process.thread(handed.current).is_some() {
            self.inferior.current = handed.current;
        }
        if let Some(thread) = self.inferior.process.thread_mut(self.inferior.current) {
            // The stop there has been told.
            thread.passes = true;
        }
        for (tid, name) in &handed.undelivered {
            if let Some(signal) = name.number()
                && let Some(thread) = self.inferior.process.thread_mut(*tid)
            {
                thread.redeliver(signal);
            }
        }
        handed.send_again();
    }

    /// The files of the process are known: what is in them goes in. Libraries come next.
    fn move_in(&mut self, shared: &mut TracerShared, fresh: Result<Fresh, ImageError>) {
        self.inferior.program.loading = 0;
        match fresh {
            Ok(fresh) => self.set_up(shared, fresh),
            Err(error) => {
                if let Some(arriving) = &mut self.arriving {
                    arriving.notes.push(format!("no symbols: {error}"));
                }
            }
        }
        self.check_halted(shared);
    }

    /// All its files are known. What its watchpoints need is read before they are set.
    pub(in crate::native) fn has_files(&mut self, shared: &mut TracerShared) {
        self.phase = Phase::Stopped;
        let (tid, ranks) = (TransactionId::default(), ProcessSet::one(self.rank));
        let arrival = Query { tid, ranks, operation: Operation::UseEngine(EngineName::Native) };
        let _ = shared.requests.send(Request::Continue(Box::new(move |tracer: &mut Tracer| tracer.query(arrival))));
        shared.waker.wake();
    }

    /// What reads all that is needed on the tracer thread to go to another engine, or to come from one.
    pub(in crate::native) fn rehearsed_move(&self) -> Option<(Context, Rehearsal)> {
        let points: Vec<&BreakpointRequest> = match &self.arriving {
            Some(arriving) => arriving.points.iter().collect(),
            None => self.breakpoints.points.values().map(|breakpoint| &breakpoint.request).collect(),
        };
        let watches = points.into_iter().filter_map(|request| match &request.point {
            Point::Watch(watch) => Some((watch.context, watch.bare().to_owned())),
            _ => None,
        });
        let mut watches: Vec<_> = watches.collect();
        if self.arriving.is_none() {
            // They have been looked up already; where their frames are now is looked for.
            watches.iter_mut().for_each(|(context, _)| context.frame = 0);
        }
        let context = watches.first().map(|(context, _)| *context)?;
        let evaluated = watches.into_iter().map(|(context, expression)| Operation::Evaluate { context, expression });
        let evaluated: Vec<_> = evaluated.collect();
        let rehearse = move |thread: &StoppedThread<'_>| {
            thread.stack(0, None);
            for operation in &evaluated {
                answer(operation, thread);
            }
        };
        Some((context, Arc::new(rehearse)))
    }

    /// The rank is here.
    fn arrive_here(&mut self, shared: &mut TracerShared) {
        let Some(Arriving { points, mut notes, ready, keeper }) = self.arriving.take() else { return };
        for request in points {
            if let Err(failure) = self.breakpoints.plant(&mut self.inferior, &request) {
                self.breakpoints.delete(&mut self.inferior, request.id);
                notes.push(left_behind(&request, &failure));
            }
        }
        self.update_hook(shared);
        // The stop signal has been lifted: those who gave the process away may go, which takes a while. Until they are gone
        // the rank is on its way: the kernel hangs up on a process that is stopped when its parent ends.
        shared.later(move || {
            drop(keeper);
            let _ = ready.send(Ok(notes));
            Box::new(|_: &mut Tracer| {})
        });
    }
}
