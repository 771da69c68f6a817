//! Breakpoint hits: which one is the reason of a stop, and gdb's hit counts.

use super::planted::{OwnCheck, Planted};
use super::table::{BreakpointTable, remove};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::values::Values;
use crate::gdb::mi::Command;
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::{BreakpointId, Event, PointAction, StopReason, Trace, Variable, VariableValue, Watched};

/// Evaluates a check that gdb cannot make; true, with a note, if the evaluation fails.
fn own_check_holds(
    gdb: &mut Gdb,
    inferior: &InferiorState,
    own: &OwnCheck,
) -> Result<(bool, Option<String>), GdbError> {
    if own.thread.is_some_and(|thread| thread != inferior.current()) {
        return Ok((false, None));
    }
    let Some(condition) = &own.condition else { return Ok((true, None)) };
    let command = Command::new("data-evaluate-expression").word(format!("({condition}) != 0"));
    match gdb.ask(&command) {
        Ok(answered) => Ok((answered.results.text("value") != Some("0"), None)),
        Err(GdbError::Refused(why)) => Ok((true, Some(format!("cannot evaluate the condition: {why}")))),
        Err(gone) => Err(gone),
    }
}

/// Evaluates a tracepoint's expressions in the current thread.
fn trace(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    values: &mut Values,
    id: BreakpointId,
    expressions: &[String],
) -> Result<Trace, GdbError> {
    let mut shown = Vec::new();
    for expression in expressions {
        let value = match values.evaluate(gdb, inferior.current(), 0, expression)? {
            Ok(datum) => VariableValue::Known(datum),
            Err(failure) => VariableValue::Unknown { why: failure.message, type_name: String::new() },
        };
        shown.push(Variable { name: expression.clone(), value });
    }
    let frame = inferior.stop_frame(gdb)?;
    Ok(Trace { id, thread: inferior.current(), frame, values: shown })
}

impl BreakpointTable {
    /// Records a stop at one of gdb's breakpoints; false if it is not the user's.
    pub(in crate::gdb) fn arrived(&mut self, number: Option<u64>) -> bool {
        let Some(planted) = self.planted.iter_mut().find(|planted| Some(planted.number) == number) else {
            return false;
        };
        planted.arrived = true;
        true
    }

    /// Forgets the hits once their stop has been reported.
    pub(in crate::gdb) fn forget_arrivals(&mut self) {
        for planted in &mut self.planted {
            planted.arrived = false;
        }
    }

    /// Picks the breakpoint that is the reason of the stop, with a note on its condition; `None` if no condition holds.
    pub(in crate::gdb) fn reason_among_arrived(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        values: &mut Values,
        reporter: &Reporter,
    ) -> Result<Option<(BreakpointId, Option<String>)>, GdbError> {
        let mut arrived: Vec<_> = self.planted.iter().filter(|p| p.arrived).cloned().collect();
        arrived.sort_by_key(|planted| planted.request.id);
        let mut reason = None;
        for planted in arrived {
            let (holds, note) = own_check_holds(gdb, inferior, &planted.own)?;
            if holds && let PointAction::Trace(expressions) = &planted.request.action {
                let traced = trace(gdb, inferior, values, planted.request.id, expressions)?;
                reporter.event(Event::Traced(traced));
                if let Some(planted) = self.get_mut(planted.request.id) {
                    planted.told += 1;
                    planted.arrived = false;
                }
            } else if holds {
                reason.get_or_insert((planted.request.id, note));
            } else if let Some(planted) = self.get_mut(planted.request.id) {
                planted.arrived = false;
            }
        }
        Ok(reason)
    }

    /// Reports hits that gdb has counted, except the one that `reason` is about to report.
    pub(in crate::gdb) fn tell_counts(&mut self, reporter: &Reporter, reason: Option<&StopReason>) {
        let named = reason.and_then(StopReason::point);
        let mut counts = Vec::new();
        for planted in &mut self.planted {
            let fresh = planted.times.saturating_sub(planted.told);
            planted.told = planted.times;
            let unnamed = fresh.saturating_sub(u64::from(named == Some(planted.request.id)));
            // Where gdb cannot check the condition, its count is wrong.
            if unnamed > 0 && !planted.own.is_needed() {
                counts.push((planted.request.id, unnamed));
            }
        }
        for (id, arrivals) in counts {
            reporter.event(Event::Counted(id, arrivals));
        }
    }

    /// Deletes the temporary breakpoints that stopped the rank, and reports it.
    pub(in crate::gdb) fn drop_temporary(&mut self, gdb: &mut Gdb, reporter: &Reporter) -> Result<(), GdbError> {
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.planted).into_iter().partition(|p| p.arrived && p.request.temporary);
        self.planted = kept;
        for planted in gone {
            if planted.own.is_needed() || planted.request.point.place().is_none() {
                remove(gdb, planted.number)?;
            }
            reporter.event(Event::BreakpointGone(planted.request.id));
        }
        Ok(())
    }

    /// Forgets a watchpoint that gdb has deleted with its frame (`out_of_scope`: the watchpoint's number) or its value.
    pub(in crate::gdb) fn forget_used_up(
        &mut self,
        reporter: &Reporter,
        reason: &StopReason,
        out_of_scope: Option<u64>,
    ) {
        let is_gone = |planted: &Planted| match (out_of_scope, reason) {
            (Some(number), _) => planted.number == number,
            (None, StopReason::Watchpoint(id, Watched::GivenUp)) => planted.request.id == *id,
            (None, _) => false,
        };
        let Some(at) = self.planted.iter().position(is_gone) else { return };
        let gone = self.planted.remove(at);
        reporter.event(Event::BreakpointGone(gone.request.id));
    }
}
