//! Decides whether an arrival at a point of the user stops the rank, by thread, condition and ignore count.

use super::bound_names::Untested;
use super::catch_functions::arrival;
use super::claims::Claim;
use super::points::{Breakpoints, UserBreakpoint};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::outbox::RankReports;
use model::{BreakpointId, Event, Failure, PointAction, StopReason, Watched};

/// The decision about an arrival at breakpoints of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Verdict {
    /// The rank stops, with this reason and an optional note.
    Stop(StopReason, Option<String>),
    /// The thread continues.
    Pass,
}

impl Breakpoints {
    /// Decides about the arrival of a thread at the user's breakpoints here; `None` if there are none.
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
        // All of them count the arrival, but only the first that stops becomes the stop reason.
        for id in ids {
            let Some(request) = self.points.get(&id).map(|breakpoint| &breakpoint.request) else { continue };
            let (reason, traces) = (arrival(id, &request.point), matches!(request.action, PointAction::Trace(_)));
            let mut stops = self.weigh(inferior, id, tid, reason);
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

    /// Decides whether a point of the user stops the thread, by its thread, condition and ignore count.
    pub(in crate::native) fn weigh(
        &mut self,
        inferior: &mut Inferior,
        id: BreakpointId,
        tid: Tid,
        reason: StopReason,
    ) -> Verdict {
        let Some(breakpoint) = self.points.get(&id) else { return Verdict::Pass };
        if breakpoint.request.thread.is_some_and(|wanted| wanted != inferior.number(tid)) {
            return Verdict::Pass;
        }
        let word = breakpoint.request.point.word();
        let held = match breakpoint.condition.clone() {
            None => Ok(true),
            Some(condition) => self.holds(inferior, id, tid, &condition),
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
            Err(Untested::Failed(failure)) => {
                let condition = self.points.get(&id).and_then(|point| point.request.condition.as_deref());
                let words = failed_words(condition.unwrap_or_default(), &failure);
                let note = format!("Error in testing condition for {word} {id}: {words}");
                Verdict::Stop(reason, Some(note))
            }
            Err(untested) => Verdict::Stop(reason, Some(untested.to_string())),
        }
    }

    /// Returns the points that a stop uses up: the temporary one of its reason, and those marked as spent.
    pub(in crate::native) fn spent(&self, reason: &StopReason) -> Vec<BreakpointId> {
        // A watchpoint whose frame has returned is already marked as spent, temporary or not.
        let named = reason.point().filter(|_| !matches!(reason, StopReason::Watchpoint(_, Watched::ScopeEnded)));
        let spent = |(id, breakpoint): &(&BreakpointId, &UserBreakpoint)| {
            breakpoint.spent || (named == Some(**id) && breakpoint.request.temporary)
        };
        self.points.iter().filter(spent).map(|(id, _)| *id).collect()
    }

    /// Reports the hits that no stop reason names.
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

/// Returns what failed, with the variable at which it did, or else with the whole condition.
fn failed_words(condition: &str, failure: &Failure) -> String {
    let message = &failure.message;
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    let position = failure.position.and_then(|position| usize::try_from(position).ok());
    let name: String =
        position.map_or_else(String::new, |position| condition.chars().skip(position).take_while(is_part).collect());
    if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return if message.contains(&name) { message.clone() } else { format!("{name}: {message}") };
    }
    if condition.is_empty() { message.clone() } else { format!("{}, in {condition}", message.trim_end_matches('.')) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ErrorCode;

    #[test]
    fn a_failed_condition_names_its_variable_or_itself() {
        let failed = |message: &str, position| Failure { position, ..Failure::new(ErrorCode::DEBUGGER, message) };
        let optimized = "value has been optimized out";
        let words = |condition, failure: &Failure| failed_words(condition, failure);
        assert_eq!(words("2 * count > 3", &failed(optimized, Some(4))), "count: value has been optimized out");
        let whole = "value has been optimized out, in 2 * count > 3";
        assert_eq!(words("2 * count > 3", &failed(optimized, Some(2))), whole);
        assert_eq!(words("2 * count > 3", &failed(optimized, None)), whole);
        let missing = "No symbol \"n\" in current context.";
        assert_eq!(words("n > 3", &failed(missing, Some(0))), missing);
        assert_eq!(words("", &failed(optimized, None)), optimized);
    }
}
