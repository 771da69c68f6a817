//! What becomes of arrivals at points of the user: which of them stop the rank, by thread, condition and ignore count.

use super::catch_functions::arrival;
use super::claims::Claim;
use super::points::{Breakpoints, UserBreakpoint};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::outbox::RankReports;
use debuginfo::StackFrame;
use model::{BreakpointId, Event, PointAction, StopReason, Watched};

/// What becomes of an arrival at breakpoints of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Verdict {
    /// The rank is to stop.
    Stop(StopReason, Option<String>),
    /// None of them wants it to.
    Pass,
}

impl Breakpoints {
    /// What becomes of the arrival of a thread at the user's breakpoints here; `None` when there is none.
    pub(in crate::native) fn judge(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
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
            let Some(request) = self.points.get(&id).map(|breakpoint| &breakpoint.request) else { continue };
            let (reason, traces) = (arrival(id, &request.point), matches!(request.action, PointAction::Trace(_)));
            let mut stops = self.weigh(inferior, id, tid, reason, None);
            if traces && matches!(stops, Verdict::Stop(..)) {
                self.trace(inferior, reports, tid, id);
                stops = Verdict::Pass;
            }
            if !matches!(verdict, Some(Verdict::Stop(..))) {
                verdict = Some(stops);
            } else if matches!(stops, Verdict::Stop(..))
                && let Some(breakpoint) = self.points.get_mut(&id)
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
        inferior: &mut Inferior,
        id: BreakpointId,
        tid: Tid,
        reason: StopReason,
        frame: Option<&StackFrame>,
    ) -> Verdict {
        let Some(breakpoint) = self.points.get(&id) else { return Verdict::Pass };
        if breakpoint.request.thread.is_some_and(|wanted| wanted != inferior.number(tid)) {
            return Verdict::Pass;
        }
        let word = breakpoint.request.point.word();
        let held = match breakpoint.condition.clone() {
            None => Ok(true),
            Some(condition) => self.holds(inferior, id, tid, &condition, frame),
        };
        match held {
            Ok(false) => Verdict::Pass,
            Ok(true) => match self.points.get_mut(&id) {
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
        self.points.iter().filter(spent).map(|(id, _)| *id).collect()
    }

    /// Tells the arrivals that no stop names.
    pub(in crate::native) fn tell_counts(&mut self, reports: &mut RankReports<'_>) {
        let counts: Vec<(BreakpointId, u64)> = self
            .points
            .iter_mut()
            .map(|(id, breakpoint)| (*id, std::mem::take(&mut breakpoint.uncounted)))
            .filter(|(_, arrivals)| *arrivals > 0)
            .collect();
        for (id, arrivals) in counts {
            reports.event(Event::Counted(id, arrivals));
        }
    }
}
