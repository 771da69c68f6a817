//! The user's breakpoints, watchpoints, catchpoints and tracepoints in one rank.

use super::bound_names::BoundNames;
use super::claims::{Claim, Claims};
use super::prepared_condition::Prepared;
use super::watch_state::WatchState;
use crate::native::fpe::catching::FloatCatching;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::phase::{Halt, Phase};
use debuginfo::{CodeScope, StackFrame};
use expr::Expression;
use model::{Answer, BreakpointId, BreakpointRequest, Catch, Context, ErrorCode, Failure, Point, PointAction, Site};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// A breakpoint of the user in one rank.
#[derive(Debug)]
pub(in crate::native) struct UserBreakpoint {
    pub request: BreakpointRequest,
    pub condition: Option<Arc<Expression>>,
    /// The prepared condition at each address where a thread has arrived; `None` where it cannot be prepared.
    pub prepared: BTreeMap<u64, Option<Prepared>>,
    /// The code of the frame in which it was set as a watchpoint.
    pub scope: Option<CodeScope>,
    /// The bound names of a watchpoint's condition; `None` if names are those of the innermost frame.
    pub names: Option<BoundNames>,
    /// Empty while the breakpoint is pending.
    pub sites: Vec<Site>,
    /// Sites left out because the condition cannot be evaluated there, with the reason.
    pub refused: Vec<(Site, Failure)>,
    /// Set while it is an armed watchpoint.
    pub watch: Option<WatchState>,
    /// The fixed place that it watches, found once, if no expression in the language can denote it.
    pub place: Option<Arc<Expression>>,
    /// Hits that no stop reason names and that have not been reported yet.
    pub uncounted: u64,
    /// True for a temporary breakpoint that was hit when another one became the stop reason.
    pub spent: bool,
}

impl UserBreakpoint {
    /// True if an arrival evaluates expressions.
    pub(in crate::native) fn evaluates(&self) -> bool {
        self.condition.is_some() || matches!(self.request.action, PointAction::Trace(_))
    }

    /// Returns the context in which a watchpoint's names are looked up; `None` for other points.
    pub(in crate::native) fn watch_context(&self) -> Option<Context> {
        match &self.request.point {
            Point::Watch(watch) => Some(watch.context),
            _ => None,
        }
    }

    /// Returns the thread and the frame that an armed watchpoint belongs to; `None` if it uses no names of a frame.
    pub(in crate::native) fn watched_frame(&self) -> Option<(Tid, StackFrame)> {
        let state = self.watch.as_ref()?;
        state.scope.and(state.frame.clone()).map(|frame| (state.tid, frame))
    }
}

/// The points of one rank, and all claims to breakpoint instructions in its code.
#[derive(Debug, Default)]
pub(in crate::native) struct Breakpoints {
    pub points: BTreeMap<BreakpointId, UserBreakpoint>,
    pub claims: Claims,
    /// Accesses to watched places that have not been examined yet.
    pub unreported: VecDeque<(Tid, BreakpointId)>,
    /// Stops by catchpoints that fired while the rank was being stopped for another reason.
    pub uncaught: VecDeque<Halt>,
    pub fpe: FloatCatching,
}

impl Breakpoints {
    /// Adds a breakpoint without sites, replacing one with the same number.
    pub(in crate::native) fn add(
        &mut self,
        inferior: &mut Inferior,
        request: BreakpointRequest,
    ) -> Result<(), Failure> {
        let parse = |text: &String| inferior.expressions.parse(text);
        let condition = request.condition.as_ref().map(parse).transpose()?;
        if let PointAction::Trace(expressions) = &request.action {
            expressions.iter().try_for_each(|text| parse(text).map(drop))?;
        }
        self.delete(inferior, request.id);
        // Whether a watchpoint can be set is not known yet.
        if !matches!(request.point, Point::Watch(_)) {
            inferior.note_number("bpnum", request.id.0 as i32);
        }
        self.points.insert(
            request.id,
            UserBreakpoint {
                request,
                condition,
                prepared: BTreeMap::new(),
                scope: None,
                names: None,
                sites: Vec::new(),
                refused: Vec::new(),
                watch: None,
                place: None,
                uncounted: 0,
                spent: false,
            },
        );
        Ok(())
    }

    /// Adds a watchpoint or an event catchpoint, which has no location.
    pub(in crate::native) fn set_point(
        &mut self,
        inferior: &mut Inferior,
        phase: &Phase,
        starting: bool,
        request: &BreakpointRequest,
    ) -> Answer {
        let outcome = match &request.point {
            Point::Watch(_) => self.set_watchpoint(inferior, phase, starting, request),
            Point::Place(_) | Point::Catch(_) => self.set_catchpoint(inferior, request),
        };
        // One that fails is no breakpoint, and a later one has its number.
        if outcome.is_ok() {
            inferior.note_number("bpnum", request.id.0 as i32);
        }
        outcome.unwrap_or_else(Answer::Failed)
    }

    /// Deletes a breakpoint. True if there was one.
    pub(in crate::native) fn delete(&mut self, inferior: &mut Inferior, id: BreakpointId) -> bool {
        self.disarm_watchpoint(inferior, id);
        let known = self.points.remove(&id).is_some();
        let names = |halt: &Halt| matches!(halt, Halt::Stop { reason, .. } if reason.point() == Some(id));
        self.uncaught.retain(|halt| !names(halt));
        self.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::User(id));
        known
    }

    pub(in crate::native) fn by_number(&mut self, id: BreakpointId) -> Result<&mut UserBreakpoint, Failure> {
        let missing = || Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}."));
        self.points.get_mut(&id).ok_or_else(missing)
    }

    /// Enables or disables a breakpoint, with its claims or debug registers.
    pub(in crate::native) fn enable(
        &mut self,
        inferior: &mut Inferior,
        phase: &Phase,
        id: BreakpointId,
        enabled: bool,
    ) -> Result<(), Failure> {
        let breakpoint = self.by_number(id)?;
        if std::mem::replace(&mut breakpoint.request.enabled, enabled) == enabled {
            return Ok(());
        }
        if !enabled {
            self.disarm_watchpoint(inferior, id);
            self.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::User(id));
            return Ok(());
        }
        self.insert(inferior, phase, id).inspect_err(|_| {
            // It stays disabled, with no claim of those places that it got before one failed.
            self.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::User(id));
            if let Some(breakpoint) = self.points.get_mut(&id) {
                breakpoint.request.enabled = false;
            }
        })
    }

    /// Arms a watchpoint, or claims the places of a breakpoint. After a failure, some of them may be claimed.
    fn insert(&mut self, inferior: &mut Inferior, phase: &Phase, id: BreakpointId) -> Result<(), Failure> {
        let breakpoint = self.by_number(id)?;
        let hardware = breakpoint.request.hardware;
        let places: BTreeSet<u64> = addresses(&breakpoint.sites).collect();
        if let Some(context) = breakpoint.watch_context() {
            phase.require_stopped()?;
            self.arm_watchpoint(inferior, id, Some(context))?;
        }
        places.into_iter().try_for_each(|address| self.claims.add_user(&mut inferior.process, address, id, hardware))
    }

    /// Sets the number of hits to ignore.
    pub(in crate::native) fn set_ignore(&mut self, id: BreakpointId, count: u64) -> Result<(), Failure> {
        self.by_number(id)?.request.ignore = count;
        Ok(())
    }

    pub(in crate::native) fn all_sites(&self) -> Vec<(BreakpointId, Vec<Site>)> {
        self.points.iter().map(|(id, breakpoint)| (*id, breakpoint.sites.clone())).collect()
    }

    /// True if an event catchpoint has a condition.
    pub(in crate::native) fn catches_on_condition(&self) -> bool {
        let of_events = |catch: &Catch| !matches!(catch, Catch::Throw | Catch::Catch | Catch::Rethrow);
        let mut points = self.points.values();
        points.any(|point| {
            point.condition.is_some() && matches!(&point.request.point, Point::Catch(catch) if of_events(catch))
        })
    }
}

/// Returns the addresses of those sites that have one.
pub(in crate::native) fn addresses(sites: &[Site]) -> impl Iterator<Item = u64> {
    sites.iter().filter_map(|site| site.address).map(|address| address.0)
}
