//! Breakpoints of one rank: what the user asked for, where it is in this process, who else wants a trap there.

use super::catchpoints::{arrival, catch_wanted, moved};
use super::claims::Claim;
use super::conditions::{Evaluated, Placed, parse_condition};
use super::prepared_condition::Prepared;
use super::watchpoints::WatchState;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::{place_sites, site_at};
use crate::native::ptrace::Tid;
use crate::native::startup::place_search::Lookup;
use crate::native::tracer::shared::TracerShared;
use crate::native::tracer::tracee::Tracee;
use debuginfo::{LoadedImages, StackFrame};
use expr::Expression;
use model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, Failure, LocationSpec, Point, PointAction, Site,
    StopReason, VirtualAddress, Watched,
};
use std::collections::{BTreeMap, BTreeSet};
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
    pub place: Option<Expression>,
    /// Arrivals that no stop names, not told yet.
    pub uncounted: u64,
    /// A temporary one that was arrived at, though another named the reason.
    pub spent: bool,
}

/// What becomes of an arrival at breakpoints of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Verdict {
    /// The rank is to stop.
    Stop(StopReason, Option<String>),
    /// None of them wants it to.
    Pass,
}

/// A location that means the same whatever the rank does: what reading debug information needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::native) enum Wanted {
    /// In the files.
    Place(LocationSpec),
    /// In memory.
    Address(u64),
}

/// The sites of a location among the files of a process; a failure says what is missing. Reads debug information.
pub(in crate::native) fn search(images: &LoadedImages, wanted: &Wanted) -> Result<Vec<Site>, Failure> {
    match wanted {
        Wanted::Address(address) => Ok(vec![site_at(images, VirtualAddress(*address))]),
        Wanted::Place(spec) => Ok(place_sites(images, spec, None)?.into_iter().map(|(_, site)| site).collect()),
    }
}

/// As [`search`]; none: pending.
pub(in crate::native) fn find_sites(images: &LoadedImages, wanted: &Wanted) -> Vec<Site> {
    search(images, wanted).unwrap_or_default()
}

impl Inferior {
    /// What to look for, given where the user is: a line alone is of the file of the frame.
    pub(in crate::native) fn wanted(
        &mut self,
        spec: &LocationSpec,
        context: model::Context,
    ) -> Result<Wanted, Failure> {
        match spec {
            LocationSpec::Line(line) => match self.default_file(context) {
                Some(file) => Ok(Wanted::Place(LocationSpec::FileLine { file: file.to_string(), line: *line })),
                None => {
                    Err(Failure::new(ErrorCode::NO_SOURCE, "No default source file; write the location as file:line."))
                }
            },
            LocationSpec::Address(text) => self.address_of(text, context).map(|address| Wanted::Address(address.0)),
            other => Ok(Wanted::Place(other.clone())),
        }
    }
}

impl Tracee {
    /// Takes a breakpoint over, without sites yet; one with the same number is replaced.
    pub(in crate::native) fn add_breakpoint(&mut self, request: BreakpointRequest) -> Result<(), Failure> {
        let condition = parse_condition(request.condition.as_deref())?;
        if let PointAction::Trace(expressions) = &request.action {
            expressions.iter().try_for_each(|text| parse_condition(Some(text)).map(drop))?;
        }
        self.delete_breakpoint(request.id);
        self.inferior.note_number("bpnum", request.id.0 as i32);
        self.breakpoints.insert(
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
    pub(in crate::native) fn set_point(&mut self, request: &BreakpointRequest) -> Answer {
        self.inferior.note_number("bpnum", request.id.0 as i32);
        let outcome = match &request.point {
            Point::Watch(_) => self.set_watchpoint(request),
            Point::Place(_) | Point::Catch(_) => self.set_catchpoint(request),
        };
        outcome.unwrap_or_else(Answer::Failed)
    }

    /// Puts a breakpoint where its location is now; whether that changed anything.
    pub(in crate::native) fn move_breakpoint(&mut self, id: BreakpointId, sites: Vec<Site>) -> Result<bool, Failure> {
        let Some(breakpoint) = self.breakpoints.get_mut(&id) else { return Ok(false) };
        let changed = breakpoint.sites != sites;
        let enabled = breakpoint.request.enabled;
        let before: BTreeSet<u64> = addresses(&breakpoint.sites).collect();
        let after: BTreeSet<u64> = addresses(&sites).collect();
        breakpoint.sites = sites;
        if !enabled {
            return Ok(changed);
        }
        for address in before.difference(&after) {
            self.claims.remove(&mut self.inferior.process, *address, Claim::User(id));
        }
        let mut outcome = Ok(changed);
        let claimed = |claims: &[Claim]| claims.contains(&Claim::User(id));
        for address in after {
            if claimed(self.claims.at(address)) {
                continue;
            }
            if let Err(failure) = self.claims.add(&mut self.inferior.process, address, Claim::User(id)) {
                outcome = Err(failure);
            }
        }
        outcome
    }

    /// Where a breakpoint is.
    pub(in crate::native) fn sites(&self, id: BreakpointId) -> Vec<Site> {
        self.breakpoints.get(&id).map(|breakpoint| breakpoint.sites.clone()).unwrap_or_default()
    }

    /// Forgets a breakpoint; whether there was one.
    pub(in crate::native) fn delete_breakpoint(&mut self, id: BreakpointId) -> bool {
        self.disarm_watchpoint(id);
        let known = self.breakpoints.remove(&id).is_some();
        self.claims.remove_all(&mut self.inferior.process, |claim| *claim == Claim::User(id));
        known
    }

    pub(in crate::native) fn breakpoint(&mut self, id: BreakpointId) -> Result<&mut UserBreakpoint, Failure> {
        let missing = || Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}."));
        self.breakpoints.get_mut(&id).ok_or_else(missing)
    }

    /// Makes a breakpoint act or not.
    pub(in crate::native) fn enable_breakpoint(&mut self, id: BreakpointId, enabled: bool) -> Result<(), Failure> {
        let breakpoint = self.breakpoint(id)?;
        if std::mem::replace(&mut breakpoint.request.enabled, enabled) == enabled {
            return Ok(());
        }
        let places: BTreeSet<u64> = addresses(&breakpoint.sites).collect();
        if matches!(breakpoint.request.point, Point::Watch(_)) {
            if enabled {
                let context = self.watch_context(id);
                self.phase.require_stopped().and_then(|()| self.arm_watchpoint(id, context)).inspect_err(|_| {
                    if let Some(breakpoint) = self.breakpoints.get_mut(&id) {
                        breakpoint.request.enabled = false;
                    }
                })?;
            } else {
                self.disarm_watchpoint(id);
            }
        }
        for address in places {
            if enabled {
                self.claims.add(&mut self.inferior.process, address, Claim::User(id))?;
            } else {
                self.claims.remove(&mut self.inferior.process, address, Claim::User(id));
            }
        }
        Ok(())
    }

    /// Changes how many arrivals are passed over.
    pub(in crate::native) fn set_ignore(&mut self, id: BreakpointId, count: u64) -> Result<(), Failure> {
        self.breakpoint(id)?.request.ignore = count;
        Ok(())
    }

    /// What becomes of the arrival of a thread at the user's breakpoints here; `None` when there is none.
    pub(in crate::native) fn judge(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        claims: &[Claim],
    ) -> Option<Verdict> {
        let mut ids: Vec<BreakpointId> = claims
            .iter()
            .filter_map(|claim| match claim {
                Claim::User(id) => Some(*id),
                _ => None,
            })
            .collect();
        ids.sort_unstable();
        let mut verdict = None;
        // Every one of them counts the arrival, though the first that stops names the reason.
        for id in ids {
            let Some(request) = self.breakpoints.get(&id).map(|breakpoint| &breakpoint.request) else { continue };
            let (reason, traces) = (arrival(id, &request.point), matches!(request.action, PointAction::Trace(_)));
            let mut stops = self.weigh(id, tid, reason, None);
            if traces && matches!(stops, Verdict::Stop(..)) {
                self.trace(shared, tid, id);
                stops = Verdict::Pass;
            }
            if !matches!(verdict, Some(Verdict::Stop(..))) {
                verdict = Some(stops);
            } else if matches!(stops, Verdict::Stop(..))
                && let Some(breakpoint) = self.breakpoints.get_mut(&id)
            {
                breakpoint.uncounted += 1;
                breakpoint.spent = breakpoint.request.temporary;
            }
        }
        verdict
    }

    /// Whether a point of the user stops for what a thread did, by its thread, condition and ignore count. The condition
    /// is looked at in `frame`, or else in the innermost.
    pub(in crate::native) fn weigh(
        &mut self,
        id: BreakpointId,
        tid: Tid,
        reason: StopReason,
        frame: Option<&StackFrame>,
    ) -> Verdict {
        let Some(breakpoint) = self.breakpoints.get(&id) else { return Verdict::Pass };
        if breakpoint.request.thread.is_some_and(|wanted| wanted != self.inferior.number(tid)) {
            return Verdict::Pass;
        }
        let word = breakpoint.request.point.word();
        let held = match breakpoint.condition.clone() {
            None => Ok(true),
            Some(condition) => self.holds(id, tid, &condition, frame),
        };
        match held {
            Ok(false) => Verdict::Pass,
            Ok(true) => match self.breakpoints.get_mut(&id) {
                Some(breakpoint) if breakpoint.request.ignore > 0 => {
                    breakpoint.request.ignore -= 1;
                    breakpoint.uncounted += 1;
                    Verdict::Pass
                }
                _ => Verdict::Stop(reason, None),
            },
            Err(failure) => {
                let note = format!("Error in testing condition for {word} {id}: {}", failure.message);
                Verdict::Stop(reason, Some(note))
            }
        }
    }

    /// The temporary breakpoints that a stop uses up: that of its reason, and those at the same place.
    pub(in crate::native) fn spent(&self, reason: &StopReason) -> Vec<BreakpointId> {
        // A watchpoint whose frame is gone is spent whatever it was asked for.
        let named = reason.point().filter(|_| !matches!(reason, StopReason::Watchpoint(_, Watched::ScopeEnded)));
        let spent = |(id, breakpoint): &(&BreakpointId, &UserBreakpoint)| {
            breakpoint.spent || (named == Some(**id) && breakpoint.request.temporary)
        };
        self.breakpoints.iter().filter(spent).map(|(id, _)| *id).collect()
    }

    /// Tells the arrivals that no stop names.
    pub(in crate::native) fn tell_counts(&mut self, shared: &mut TracerShared) {
        let counts: Vec<(BreakpointId, u64)> = self
            .breakpoints
            .iter_mut()
            .map(|(id, breakpoint)| (*id, std::mem::take(&mut breakpoint.uncounted)))
            .filter(|(_, arrivals)| *arrivals > 0)
            .collect();
        for (id, arrivals) in counts {
            self.report(shared, Event::Counted(id, arrivals));
        }
    }

    /// Everything that has to be looked for again when files come or go. Addresses stay what they are.
    pub(in crate::native) fn lookups(&self) -> Vec<Lookup> {
        let file = self.inferior.program.file.clone();
        let wanted = self.breakpoints.values().filter_map(|breakpoint| {
            if let Some(wanted) = catch_wanted(&breakpoint.request.point) {
                return Some((breakpoint.request.id, wanted));
            }
            let wanted = match breakpoint.request.point.place()? {
                LocationSpec::Address(_) => Wanted::Address(breakpoint.sites.first().and_then(|site| site.address)?.0),
                LocationSpec::Line(line) => {
                    let refused = breakpoint.refused.iter().map(|(site, _)| site);
                    let known = breakpoint.sites.iter().chain(refused).find_map(|site| site.source.as_ref());
                    let file = known.map(|place| Arc::clone(&place.file)).or_else(|| file.clone())?;
                    Wanted::Place(LocationSpec::FileLine { file: file.to_string(), line: *line })
                }
                other => Wanted::Place(other.clone()),
            };
            Some((breakpoint.request.id, wanted))
        });
        let evaluated = |id| self.breakpoints.get(&id).map(|breakpoint| Evaluated::of(&breakpoint.request));
        wanted.map(|(id, wanted)| Lookup { id, wanted, evaluated: evaluated(id).unwrap_or_default() }).collect()
    }

    /// Puts breakpoints where they are now, and says so of those that moved.
    /// Whether any did.
    pub(in crate::native) fn place_breakpoints(
        &mut self,
        shared: &mut TracerShared,
        found: Vec<(BreakpointId, Placed)>,
    ) -> bool {
        let mut any = false;
        for (id, placed) in found {
            let sites = placed.sites.clone();
            match self.place_breakpoint(shared, id, placed) {
                Ok(true) => {
                    any = true;
                    if let Some(point) = self.breakpoints.get(&id).map(|point| &point.request.point) {
                        let event = moved(id, point, sites);
                        self.report(shared, event);
                    }
                }
                Ok(false) => {}
                Err(failure) => {
                    self.report(shared, Event::Message(model::Severity::Warning, failure.message));
                }
            }
        }
        any
    }
}

fn addresses(sites: &[Site]) -> impl Iterator<Item = u64> {
    sites.iter().filter_map(|site| site.address).map(|address| address.0)
}
