//! Watchpoints of one rank: armed in the debug registers or checked after every instruction, and their stops.

use super::bound_names::BoundNames;
use super::claims::Claim;
use super::points::{Breakpoints, UserBreakpoint};
use super::verdict::Verdict;
use super::watch_plan::{Seen, WatchPlan, at_its_place, plan};
use super::watch_state::{Examined, How, WatchState};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Region, Tid};
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::Phase;
use debuginfo::{StackFrame, ThreadAccess};
use model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Context, ErrorCode, Event, Failure, Point, Severity, StopReason,
    VirtualAddress, WatchAccess, Watched,
};

/// The maximum number of levels of inlined functions to look through for the physical frame.
pub(in crate::native) const NESTED: u32 = 64;

/// Returns the return address of the physical frame of the first level, and the stack pointer there.
fn end_of_scope(frames: &[StackFrame], access: &dyn ThreadAccess) -> Option<(u64, u64)> {
    let outer = frames.iter().position(|frame| !frame.frame.inlined)?;
    let cfa = frames.get(outer)?.cfa?.0;
    if let Some(caller) = frames.get(outer + 1) {
        return Some((caller.registers.pc()?.0, cfa));
    }
    // The caller of the main program is not in `frames`. The CFA follows the return address (System V ABI, AMD64
    // supplement, 3.2.2).
    let mut back = [0; 8];
    access.read(VirtualAddress(cfa.checked_sub(8)?), &mut back).ok()?;
    Some((u64::from_le_bytes(back), cfa))
}

impl Breakpoints {
    /// Adds a watchpoint. One that is set before the program has started stays pending until the first stop.
    pub(in crate::native) fn set_watchpoint(
        &mut self,
        inferior: &mut Inferior,
        phase: &Phase,
        starting: bool,
        request: &BreakpointRequest,
    ) -> Result<Answer, Failure> {
        // It is armed at the first stop, also if that is on its way: a restart sets it at any moment of the start.
        let waits = *phase == Phase::Waiting || starting || phase.begins();
        if !waits {
            phase.require_stopped()?;
        }
        self.add(inferior, request.clone())?;
        if waits {
            return Ok(Answer::Armed(request.id, Armed::Pending));
        }
        let point = self.by_number(request.id)?;
        point.note_scope(inferior);
        if !request.enabled {
            // Its names are those of this frame even if it is enabled elsewhere.
            point.bind_where_set(inferior);
            return Ok(Answer::Armed(request.id, Armed::Pending));
        }
        let context = point.watch_context();
        let armed = self
            .arm_watchpoint(inferior, request.id, context)
            .and_then(|armed| self.by_number(request.id)?.bind_condition(inferior, phase).map(|()| armed));
        match armed {
            Ok(armed) => Ok(Answer::Armed(request.id, armed)),
            Err(failure) => {
                self.delete(inferior, request.id);
                Err(failure)
            }
        }
    }

    /// Resolves the names of a watchpoint and arms it. Without a context, only globals can be watched.
    pub(in crate::native) fn arm_watchpoint(
        &mut self,
        inferior: &mut Inferior,
        id: BreakpointId,
        context: Option<Context>,
    ) -> Result<Armed, Failure> {
        let watch = self.points.get(&id).and_then(|breakpoint| match &breakpoint.request.point {
            Point::Watch(watch) => Some(watch.clone()),
            _ => None,
        });
        let Some(watch) = watch else { return Ok(Armed::Pending) };
        let access = watch.access;
        let only_global = context.is_none();
        let context = context.unwrap_or_default();
        let tid = inferior.thread(context.thread)?;
        let known = self.points.get(&id).and_then(|breakpoint| breakpoint.place.clone());
        let expression = match (known, watch.at_place()) {
            (Some(place), _) => place,
            (None, Some(of)) => inferior.look(tid, |thread| thread.at(context.frame, |view| at_its_place(of, view)))?,
            (None, None) => inferior.expressions.parse(&watch.expression)?,
        };
        let (planned, frame, scope) = inferior.look(tid, |thread| {
            let level = BoundNames::level_seen_from(&expression, thread, context.frame).unwrap_or(context.frame);
            let frames = thread.stack(level, Some(level.saturating_add(NESTED))).frames;
            let frame = if level == 0 { frames.first().cloned() } else { Some(thread.frame(level)?) };
            let view = thread.in_frame(frame.as_ref());
            let planned = plan(&expression, access, &view)?;
            let scope = if planned.scoped { end_of_scope(&frames, thread.access) } else { None };
            Ok::<_, Failure>((planned, frame, scope))
        })?;
        let WatchPlan { seen, dependence, scoped } = planned;
        if scoped && only_global {
            return Err(Failure::new(ErrorCode::DEBUGGER, "its frame has returned"));
        }
        let how = How::claim(&mut inferior.process, tid, dependence);
        if let (How::Steps { why, .. }, WatchAccess::Read | WatchAccess::Any) = (&how, access) {
            let message = format!("Expression cannot be implemented with read/access watchpoint: {why}.");
            return Err(Failure::new(ErrorCode::DEBUGGER, message));
        }
        if let Some((back, _)) = scope {
            self.claims.add(&mut inferior.process, back, Claim::ScopeEnd(id))?;
        }
        let armed = how.armed();
        if let Some(breakpoint) = self.points.get_mut(&id) {
            // A place is resolved once, even if the expression that led to it denotes another place later.
            if expression.is_fixed() {
                breakpoint.place = Some(expression.clone());
            } else if let Point::Watch(watch) = &mut breakpoint.request.point {
                expression.text().clone_into(&mut watch.expression);
            }
            breakpoint.watch = Some(WatchState { expression, access, tid, frame, scope, how, last: Some(seen) });
        }
        Ok(armed)
    }

    /// Releases the debug registers and claims of a watchpoint.
    pub(in crate::native) fn disarm_watchpoint(&mut self, inferior: &mut Inferior, id: BreakpointId) {
        let state = self.points.get_mut(&id).and_then(|breakpoint| breakpoint.watch.take());
        let Some(state) = state else { return };
        if let How::Registers(regions) = &state.how {
            inferior.process.debug_registers_mut().release(regions);
        }
        self.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::ScopeEnd(id));
        self.unreported.retain(|(_, other)| *other != id);
    }

    /// Arms the watchpoints that were set before the program started.
    pub(in crate::native) fn arm_pending(&mut self, inferior: &mut Inferior, reports: &mut RankReports<'_>) {
        let waiting = |request: &BreakpointRequest| request.enabled && matches!(request.point, Point::Watch(_));
        let pending: Vec<BreakpointId> = self
            .points
            .values()
            .filter(|breakpoint| breakpoint.watch.is_none() && waiting(&breakpoint.request))
            .map(|breakpoint| breakpoint.request.id)
            .collect();
        for id in pending {
            match self.arm_watchpoint(inferior, id, None) {
                Ok(armed) => {
                    if let Some(point) = self.points.get_mut(&id) {
                        point.bind_in_main_program(inferior);
                    }
                    reports.event(Event::BreakpointArmed(id, armed));
                }
                Err(failure) => {
                    let message = format!("cannot set watchpoint {id} again: {}", failure.message);
                    self.delete(inferior, id);
                    reports.event(Event::Message(Severity::Warning, message));
                    reports.event(Event::BreakpointGone(id));
                }
            }
        }
    }

    /// True if a watchpoint must be checked after every instruction of a thread.
    pub(in crate::native) fn steps_watches(&self, tid: Tid) -> bool {
        let mut watches = self.points.values().filter_map(|breakpoint| breakpoint.watch.as_ref());
        watches.any(|watch| watch.how.looks_after(watch.tid == tid))
    }

    /// Queues the watchpoints without debug registers after a thread has done an instruction. True if there are any.
    pub(in crate::native) fn note_stepped(&mut self, tid: Tid) -> bool {
        let looks = |point: &UserBreakpoint| point.watch.as_ref().is_some_and(|it| it.how.looks_after(it.tid == tid));
        let stepped = self.points.iter().filter(|(_, point)| looks(point)).map(|(id, _)| (tid, *id));
        let before = self.unreported.len();
        self.unreported.extend(stepped);
        self.unreported.len() > before
    }

    /// Queues the watchpoints whose regions trapped; `places` has a bit for each region.
    pub(in crate::native) fn note_watched(&mut self, inferior: &mut Inferior, tid: Tid, places: u64) {
        let trapped: Vec<Region> = inferior.process.debug_registers().of_bits(places).collect();
        for (id, breakpoint) in &self.points {
            let Some(How::Registers(regions)) = breakpoint.watch.as_ref().map(|watch| &watch.how) else { continue };
            if regions.iter().any(|region| trapped.contains(region)) {
                self.unreported.push_back((tid, *id));
            }
        }
    }

    /// Examines the watchpoints that trapped until one stops.
    pub(in crate::native) fn next_watched(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
    ) -> Examined {
        let mut examined = Examined::default();
        while let Some((tid, id)) = self.unreported.pop_front() {
            if let Some(Verdict::Stop(reason, note)) = self.examine_watch(inferior, reports, tid, id, &mut examined) {
                examined.stop = Some((tid, reason, note));
                break;
            }
        }
        examined
    }

    /// Examines an access to a watched place; `None` if it is to be ignored.
    fn examine_watch(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
        tid: Tid,
        id: BreakpointId,
        examined: &mut Examined,
    ) -> Option<Verdict> {
        let mut state = self.points.get_mut(&id)?.watch.take()?;
        let now = state.value_now(inferior, tid);
        let steps = matches!(state.how, How::Steps { .. });
        let event = now.ok().and_then(|now| {
            let bytes = |seen: &Option<Seen>| seen.as_ref().map(|seen| (seen.lost, seen.bytes.clone()));
            if bytes(&now) != bytes(&state.last) {
                let old = std::mem::replace(&mut state.last, now.clone());
                let datum = |seen: Option<Seen>| seen.and_then(|seen| seen.datum);
                // A read watchpoint does not report writes.
                let tells = state.access != WatchAccess::Read;
                return tells.then(|| Watched::Changed { old: datum(old), new: datum(now) });
            }
            let value = now.and_then(|seen| seen.datum)?;
            (!steps && state.access != WatchAccess::Change).then_some(Watched::Accessed { value })
        });
        if state.follow_pointers(inferior, tid) {
            examined.rearms = true;
            if state.how.armed() != Armed::Hardware {
                reports.event(Event::BreakpointArmed(id, state.how.armed()));
            }
        }
        if let Some(breakpoint) = self.points.get_mut(&id) {
            breakpoint.watch = Some(state);
        }
        let reason = StopReason::Watchpoint(id, event?);
        Some(self.weigh(inferior, id, tid, reason))
    }

    /// Returns the stop of the first watchpoint whose frame has returned now that this thread is here; all such
    /// watchpoints are marked as spent.
    pub(in crate::native) fn ended_scope(
        &mut self,
        inferior: &mut Inferior,
        tid: Tid,
        claims: &[Claim],
    ) -> Option<StopReason> {
        let sp = inferior.process.registers(tid).ok()?.rsp;
        let mut first = None;
        for claim in claims {
            let Claim::ScopeEnd(id) = claim else { continue };
            let Some(breakpoint) = self.points.get_mut(id) else { continue };
            let ended = |watch: &WatchState| watch.tid == tid && watch.scope.is_some_and(|(_, lowest)| sp >= lowest);
            if breakpoint.watch.as_ref().is_some_and(ended) {
                breakpoint.spent = true;
                first = first.or(Some(*id));
            }
        }
        first.map(|id| StopReason::Watchpoint(id, Watched::ScopeEnded))
    }
}
