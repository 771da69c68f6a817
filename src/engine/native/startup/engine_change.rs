//! Moves ranks to another engine, and takes ranks over from one.

use super::beginning::Fresh;
use super::first_stop::{Begin, Startup};
use super::fork::Companion;
use super::libraries::Libraries;
use super::program::Program;
use crate::native::breakpoints::catch_functions::located;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::{Inferior, note_rank};
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
use std::sync::PoisonError;

impl Tracer {
    /// Gives a rank to another engine after its earlier queries.
    pub(in crate::native) fn give_away(&mut self, rank: Rank, reply: Reply) {
        self.shared.leaving.insert(rank, reply);
        let (tid, ranks) = (TransactionId::default(), ProcessSet::one(rank));
        self.query(Query { tid, ranks, operation: Operation::UseEngine(EngineName::Native) });
    }

    /// Completes the arrival of ranks from another engine, and gives the others away.
    pub(in crate::native) fn give_away_now(&mut self, ranks: &ProcessSet) {
        for rank in ranks.iter() {
            match self.shared.leaving.remove(&rank) {
                Some(reply) => self.part_with(rank, reply),
                None => self.with(rank, arrive_here),
            }
        }
    }

    fn part_with(&mut self, rank: Rank, reply: Reply) {
        let shared = &mut self.shared;
        let tracee = self.ranks.get_mut(&rank).and_then(Member::tracee);
        let handed = match tracee.ok_or_else(not_run).and_then(|tracee| hand(tracee, shared)) {
            Ok(handed) => handed,
            Err(failure) => return drop(reply.send(Err(failure))),
        };
        if let Some(Member::Live(tracee)) = self.ranks.remove(&rank) {
            shared.remains.insert(rank, tracee.inferior.remains());
        }
        shared.owners.retain(|_, owner| *owner != rank);
        // It may be our child: its wait statuses go to its next tracer first and then to us.
        shared.lent.insert(handed.pid);
        shared.outputs.withdraw(rank, move |taps| {
            // Fails only if the asker is gone.
            let _ = reply.send(Ok(Box::new(Handed { taps, ..handed })));
        });
    }

    /// Takes over a rank that another engine has given away.
    pub(in crate::native) fn take_over(&mut self, handed: Box<Handed>, ready: Ready) {
        let rank = handed.rank;
        let refuse = |handed, code, message: String, ready: Ready| {
            let _ = ready.send(Err(Refusal { handed, failure: Failure::new(code, message) }));
        };
        if self.ranks.get_mut(&rank).and_then(Member::tracee).is_some() {
            return refuse(handed, ErrorCode::DEBUGGER, format!("another process is already rank {rank}"), ready);
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
        let startup = Startup::of_handed_over(handed.guest);
        let mut tracee = Tracee::new(rank, process, handed.spec.clone(), startup, &shared.expressions);
        tracee.inferior.value_history = shared.remains.remove(&rank).unwrap_or_default().value_history;
        note_rank(&tracee.inferior, rank);
        resume_from(&mut tracee, &handed);
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
        tracee.find_beginning(shared, Begin::Nowhere, move_in);
        self.ranks.insert(rank, Member::Live(Box::new(tracee)));
    }
}

fn left_behind(request: &BreakpointRequest, failure: &Failure) -> String {
    format!("could not take over {} {}: {}", request.point.word(), request.id, failure.message)
}

impl Breakpoints {
    /// Returns the user's points in a form that another engine understands.
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
        let point = self.by_number(request.id)?;
        point.note_scope(inferior);
        point.bind_where_set(inferior);
        if request.enabled {
            self.arm_watchpoint(inferior, request.id, Some(context)).map(drop)?;
        }
        inferior.note_number("bpnum", request.id.0 as i32);
        Ok(())
    }

    /// Returns the context of a watchpoint's names in the current stack; `None` if the point is no watchpoint.
    fn watch_place(&mut self, inferior: &mut Inferior, id: BreakpointId) -> Option<Context> {
        let breakpoint = self.points.get(&id)?;
        let asked = breakpoint.watch_context()?;
        let Some((tid, frame)) = breakpoint.watched_frame() else {
            // Names that belong to no frame mean the same anywhere, but those of the condition may need one.
            return Some(if breakpoint.watch.is_some() {
                let (current, names) = (inferior.current, breakpoint.names.as_ref());
                let frame = names.and_then(|names| inferior.look(current, |thread| names.level(thread))).unwrap_or(0);
                Context { thread: Some(inferior.number(current)), frame }
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

/// Detaches from the stopped process and returns what the other engine must know of it.
fn hand(tracee: &mut Tracee, shared: &TracerShared) -> Result<Handed, Failure> {
    match tracee.phase {
        Phase::Stopped => {}
        Phase::Ended => return Err(not_run()),
        _ => {
            let message = "the rank is running: halt it first, then hand it over";
            return Err(Failure { message: message.to_owned(), ..running() });
        }
    }
    let (rank, pid) = (tracee.rank, tracee.inferior.process.pid());
    if is_between_two(tracee, shared) {
        let message = "it is inside a vfork: step past it first";
        return Err(Failure::new(ErrorCode::DEBUGGER, message));
    }
    if !tracee.inferior.process.threads().can_be_given_away() {
        let message = "its first thread has ended: no other debugger can attach to the process";
        return Err(Failure::new(ErrorCode::DEBUGGER, message));
    }
    if !tracee.inferior.left_calls.is_empty() {
        let message = "it is stopped in a function that an expression called: finish that first";
        return Err(Failure::new(ErrorCode::DEBUGGER, message));
    }
    let (points, sites) = (tracee.breakpoints.portable_points(&mut tracee.inferior), tracee.breakpoints.all_sites());
    let threads = tracee.inferior.process.threads().iter().map(|thread| (thread.tid, thread.number)).collect();
    let Signals { undelivered, unheard } = tracee.inferior.process.give_away(tracee.inferior.current);
    let undelivered = undelivered.into_iter().map(|(tid, signal)| (tid, SignalName::from_number(signal)));
    Ok(Handed {
        rank,
        pid,
        guest: tracee.startup.is_guest(),
        spec: tracee.inferior.spec.clone(),
        tid: tracee.control,
        threads,
        current: tracee.inferior.current,
        points,
        sites,
        signals: tracee.signals.clone(),
        undelivered: undelivered.collect(),
        unheard,
        taps: crate::process::output::Taps::default(),
        keeper: Keeper::default(),
    })
}

/// Restores the state that the other engine had.
fn resume_from(tracee: &mut Tracee, handed: &Handed) {
    tracee.phase = Phase::Halting(Halt::Arrival);
    tracee.control = handed.tid;
    tracee.signals = handed.signals.clone();
    tracee.inferior.program = Program::of_running();
    tracee.libraries = Libraries::of_running();
    if tracee.inferior.process.thread(handed.current).is_some() {
        tracee.inferior.current = handed.current;
    }
    if let Some(thread) = tracee.inferior.process.thread_mut(tracee.inferior.current) {
        // The stop there has been reported.
        thread.passes = true;
    }
    for (tid, name) in &handed.undelivered {
        if let Some(signal) = name.number()
            && let Some(thread) = tracee.inferior.process.thread_mut(*tid)
        {
            thread.redeliver(signal);
        }
    }
    handed.send_again();
}

/// Completes the arrival of a rank: sets its points and reports it.
fn arrive_here(tracee: &mut Tracee, shared: &mut TracerShared) {
    let Some(Arriving { points, mut notes, ready, keeper }) = tracee.arriving.take() else { return };
    for request in points {
        if let Err(failure) = tracee.breakpoints.plant(&mut tracee.inferior, &request) {
            tracee.breakpoints.delete(&mut tracee.inferior, request.id);
            notes.push(left_behind(&request, &failure));
        }
    }
    tracee.update_hook(shared);
    // The stop signal is gone, so the previous engine's resources may be dropped, which takes a while. The arrival is
    // reported after that: the kernel sends SIGHUP to a process that is stopped when its parent ends.
    shared.later(move || {
        drop(keeper);
        let _ = ready.send(Ok(notes));
        Box::new(|_: &mut Tracer| {})
    });
}

/// True if two processes share its memory, or if it is about to follow its child.
fn is_between_two(tracee: &Tracee, shared: &TracerShared) -> bool {
    tracee.following.is_any()
        || tracee.inferior.process.is_in_memory_of_its_parent()
        || shared.companions.values().any(|companion| *companion == Companion::Within(tracee.rank))
}

/// Sets up an arriving rank once the files of its process are known. Libraries come next.
fn move_in(tracee: &mut Tracee, shared: &mut TracerShared, fresh: Result<Fresh, ImageError>) {
    match fresh {
        Ok(fresh) => tracee.set_up(shared, Ok(fresh)),
        Err(error) => {
            tracee.inferior.program.loading = 0;
            if let Some(arriving) = &mut tracee.arriving {
                arriving.notes.push(format!("no symbols: {error}"));
            }
        }
    }
    tracee.check_halted(shared);
}

/// Continues an arrival once all files are known: reads what the rank's watchpoints need before they are set.
pub(in crate::native) fn has_files(shared: &mut TracerShared, rank: Rank) {
    let (tid, ranks) = (TransactionId::default(), ProcessSet::one(rank));
    let arrival = Query { tid, ranks, operation: Operation::UseEngine(EngineName::Native) };
    let _ = shared.requests.send(Request::Continue(Box::new(move |tracer: &mut Tracer| tracer.query(arrival))));
    shared.waker.wake();
}
