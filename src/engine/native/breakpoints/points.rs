//! What the user has set in one rank: breakpoints, watchpoints, catchpoints and tracepoints.

use super::claims::{Claim, Claims};
use super::prepared_condition::Prepared;
use super::watch_state::WatchState;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::phase::{Halt, Phase};
use debuginfo::StackFrame;
use expr::Expression;
use model::{Answer, BreakpointId, BreakpointRequest, Catch, Context, ErrorCode, Failure, Point, PointAction, Site};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// A breakpoint of the user in one rank.
#[derive(Debug)]
pub(in crate::native) struct UserBreakpoint {
    pub request: BreakpointRequest,
    pub condition: Option<Arc<Expression>>,
    /// The condition at the addresses at which threads have arrived; `None`: it cannot be prepared there.
    pub prepared: BTreeMap<u64, Option<Prepared>>,
    /// Where it is; empty: pending.
    pub sites: Vec<Site>,
    /// Where it would be, did its condition mean anything there.
    pub refused: Vec<(Site, Failure)>,
    /// A watchpoint that is looked after.
    pub watch: Option<WatchState>,
    /// The place that it watches, found once, where no expression could be written for it.
    pub place: Option<Arc<Expression>>,
    /// Arrivals that no stop names, not told yet.
    pub uncounted: u64,
    /// A temporary one that was arrived at, though another named the reason.
    pub spent: bool,
}

impl UserBreakpoint {
    /// Whether an arrival has expressions evaluated.
    pub(in crate::native) fn evaluates(&self) -> bool {
        self.condition.is_some() || matches!(self.request.action, PointAction::Trace(_))
    }

    /// Where the names of a watchpoint are looked up.
    pub(in crate::native) fn watch_context(&self) -> Option<Context> {
        match &self.request.point {
            Point::Watch(watch) => Some(watch.context),
            _ => None,
        }
    }

    /// The thread and the frame whose names a watchpoint is of, when it is watched and has any.
    pub(in crate::native) fn watched_frame(&self) -> Option<(Tid, StackFrame)> {
        let state = self.watch.as_ref()?;
        state.scope.and(state.frame.clone()).map(|frame| (state.tid, frame))
    }
}

/// The points of one rank, and who else wants traps in its code.
#[derive(Debug, Default)]
pub(in crate::native) struct Breakpoints {
    pub points: BTreeMap<BreakpointId, UserBreakpoint>,
    pub claims: Claims,
    /// Accesses to watched places that nobody has looked at.
    pub unreported: VecDeque<(Tid, BreakpointId)>,
    /// What was caught while the rank was being stopped for something else.
    pub uncaught: VecDeque<Halt>,
}

impl Breakpoints {
    /// Takes a breakpoint over, without sites yet; one with the same number is replaced.
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
        inferior.note_number("bpnum", request.id.0 as i32);
        self.points.insert(
            request.id,
            UserBreakpoint {
                request,
                condition,
                prepared: BTreeMap::new(),
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

    /// Takes a point over that is no place.
    pub(in crate::native) fn set_point(
        &mut self,
        inferior: &mut Inferior,
        phase: &Phase,
        starting: bool,
        request: &BreakpointRequest,
    ) -> Answer {
        inferior.note_number("bpnum", request.id.0 as i32);
        let outcome = match &request.point {
            Point::Watch(_) => self.set_watchpoint(inferior, phase, starting, request),
            Point::Place(_) | Point::Catch(_) => self.set_catchpoint(inferior, request),
        };
        outcome.unwrap_or_else(Answer::Failed)
    }

    /// Forgets a breakpoint; whether there was one.
    pub(in crate::native) fn delete(&mut self, inferior: &mut Inferior, id: BreakpointId) -> bool {
        self.disarm_watchpoint(inferior, id);
        let known = self.points.remove(&id).is_some();
        self.claims.remove_all(&mut inferior.process, |claim| *claim == Claim::User(id));
        known
    }

    pub(in crate::native) fn by_number(&mut self, id: BreakpointId) -> Result<&mut UserBreakpoint, Failure> {
        let missing = || Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}."));
        self.points.get_mut(&id).ok_or_else(missing)
    }

    /// Makes a breakpoint act or not.
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
        let places: BTreeSet<u64> = addresses(&breakpoint.sites).collect();
        if matches!(breakpoint.request.point, Point::Watch(_)) {
            if enabled {
                let context = self.points.get(&id).and_then(UserBreakpoint::watch_context);
                phase.require_stopped().and_then(|()| self.arm_watchpoint(inferior, id, context)).inspect_err(
                    |_| {
                        if let Some(breakpoint) = self.points.get_mut(&id) {
                            breakpoint.request.enabled = false;
                        }
                    },
                )?;
            } else {
                self.disarm_watchpoint(inferior, id);
            }
        }
        for address in places {
            if enabled {
                self.claims.add(&mut inferior.process, address, Claim::User(id))?;
            } else {
                self.claims.remove(&mut inferior.process, address, Claim::User(id));
            }
        }
        Ok(())
    }

    /// Changes how many arrivals are passed over.
    pub(in crate::native) fn set_ignore(&mut self, id: BreakpointId, count: u64) -> Result<(), Failure> {
        self.by_number(id)?.request.ignore = count;
        Ok(())
    }

    /// Where all of them are.
    pub(in crate::native) fn all_sites(&self) -> Vec<(BreakpointId, Vec<Site>)> {
        self.points.iter().map(|(id, breakpoint)| (*id, breakpoint.sites.clone())).collect()
    }

    /// Whether a catchpoint that waits for no place has one evaluated.
    pub(in crate::native) fn catches_on_condition(&self) -> bool {
        let of_events = |catch: &Catch| !matches!(catch, Catch::Throw | Catch::Catch);
        let mut points = self.points.values();
        points.any(|point| {
            point.condition.is_some() && matches!(&point.request.point, Point::Catch(catch) if of_events(catch))
        })
    }
}

/// The addresses of sites that are in memory.
pub(in crate::native) fn addresses(sites: &[Site]) -> impl Iterator<Item = u64> {
    sites.iter().filter_map(|site| site.address).map(|address| address.0)
}
