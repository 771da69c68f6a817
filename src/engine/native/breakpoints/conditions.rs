//! Breakpoint conditions: evaluates them, and checks that their names can be resolved where the breakpoint is.

use super::bound_names::Untested;
use super::evaluated::{Placed, place};
use super::points::Breakpoints;
use super::prepared_condition::Prepared;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Fetched, LONGEST, Tid};
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::Phase;
use crate::refused_condition::refused_condition;
use expr::Expression;
use model::{BreakpointId, Context, ErrorCode, Event, Failure, Point, Severity, Site, VirtualAddress};
use std::sync::Arc;

impl Inferior {
    /// Evaluates a prepared condition; reads the memory it is likely to need and the code at `pc` in one system call.
    fn holds_in_one_look(
        &mut self,
        tid: Tid,
        pc: u64,
        condition: &Expression,
        prepared: &mut Prepared,
    ) -> Option<bool> {
        let stack = self.process.registers(tid).ok()?.rsp;
        let memory = Arc::clone(self.process.memory());
        let fetched = prepared.prefetch.fetch(&memory, (pc, LONGEST), stack);
        let holds =
            self.look_by(tid, Some(&fetched), |thread| prepared.holds(condition, &thread.registers, thread.access));
        self.note_code(&fetched);
        prepared.prefetch.learn(&fetched);
        holds
    }

    /// Keeps the fetched code, so that stepping past the breakpoint in it need not read it again.
    pub(in crate::native) fn note_code(&mut self, fetched: &Fetched<'_>) {
        if let Some((address, code)) = fetched.code() {
            self.process.address_space_mut().note_code(address, code);
        }
    }
}

impl Breakpoints {
    /// True if the condition of a breakpoint holds in the innermost frame, or that of a watchpoint in the innermost frame
    /// that has its variables.
    pub(in crate::native) fn holds(
        &mut self,
        inferior: &mut Inferior,
        id: BreakpointId,
        tid: Tid,
        condition: &Expression,
    ) -> Result<bool, Untested> {
        if let Some(names) = self.points.get(&id).and_then(|point| point.names.clone()) {
            return inferior.look(tid, |thread| names.hold(condition, thread));
        }
        if let Some(holds) = self.holds_as_prepared(inferior, id, tid, condition) {
            return Ok(holds);
        }
        self.note_arrival(inferior, tid);
        let holds = inferior.look(tid, |thread| {
            let at = |level| thread.at(level, |view| Ok(condition.condition(&view.eval())?));
            let is_unknown = |holds: &Result<bool, Failure>| {
                holds.as_ref().is_err_and(|failure: &Failure| failure.code == ErrorCode::UNKNOWN_VARIABLE)
            };
            let innermost = at(0);
            // A line whose first instruction is one of an inlined function: its own names are those around that.
            let mut level = 0;
            while is_unknown(&innermost) && thread.frame(level).is_ok_and(|frame| frame.frame.inlined) {
                level += 1;
                let around = at(level);
                if !is_unknown(&around) {
                    return around;
                }
            }
            innermost
        });
        Ok(holds?)
    }

    /// Evaluates the condition in the innermost frame by what the first arrival there prepared; `None` if that is not
    /// enough.
    fn holds_as_prepared(
        &mut self,
        inferior: &mut Inferior,
        id: BreakpointId,
        tid: Tid,
        condition: &Expression,
    ) -> Option<bool> {
        let pc = inferior.pc(tid).ok().filter(|pc| self.claims.is_claimed(*pc))?;
        let images = &inferior.program.images;
        let breakpoint = self.points.get_mut(&id)?;
        let known = breakpoint.prepared.remove(&pc).filter(|known| known.as_ref().is_none_or(|one| one.is_of(images)));
        let mut prepared = known.unwrap_or_else(|| Prepared::at(images, condition, VirtualAddress(pc)));
        let holds = prepared.as_mut().and_then(|prepared| inferior.holds_in_one_look(tid, pc, condition, prepared));
        self.points.get_mut(&id)?.prepared.insert(pc, prepared);
        holds
    }

    /// Changes the condition of a breakpoint, which keeps only the sites at which the condition can be evaluated.
    pub(in crate::native) fn set_condition(
        &mut self,
        inferior: &mut Inferior,
        phase: &Phase,
        reports: &mut RankReports<'_>,
        id: BreakpointId,
        condition: Option<String>,
    ) -> Result<(), Failure> {
        let parsed = condition.as_deref().map(|text| inferior.expressions.parse(text)).transpose()?;
        let breakpoint = self.by_number(id)?;
        let is_watch = matches!(breakpoint.request.point, Point::Watch(_));
        let is_place = breakpoint.request.point.place().is_some();
        let all: Vec<Site> =
            breakpoint.sites.iter().chain(breakpoint.refused.iter().map(|(site, _)| site)).cloned().collect();
        let placed = match &parsed {
            Some(parsed) if is_place => {
                let current = inferior.current;
                inferior.look(current, |thread| place(thread.images, thread.access, parsed, all))
            }
            _ => Placed { sites: all, refused: Vec::new() },
        };
        if let Some(refusal) = placed.refusal() {
            return Err(refusal.clone());
        }
        let breakpoint = self.by_number(id)?;
        let names = match parsed.as_ref().filter(|_| is_watch) {
            Some(parsed) => breakpoint.names_of(inferior, phase, Context::default(), parsed)?,
            None => None,
        };
        breakpoint.names = names;
        breakpoint.condition = parsed;
        breakpoint.prepared.clear();
        breakpoint.request.condition = condition;
        if is_place {
            let sites = placed.sites.clone();
            if self.place(inferior, reports, id, placed)? {
                reports.event(Event::BreakpointMoved(id, sites));
            }
        }
        Ok(())
    }

    /// Puts a breakpoint where its condition can be evaluated and reports the other sites. True if it moved.
    pub(in crate::native) fn place(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
        id: BreakpointId,
        placed: Placed,
    ) -> Result<bool, Failure> {
        let Some(breakpoint) = self.points.get_mut(&id) else { return Ok(false) };
        let nowhere = placed.sites.is_empty();
        let before = std::mem::replace(&mut breakpoint.refused, placed.refused.clone());
        let moved = self.relocate(inferior, id, placed.sites);
        for (site, failure) in &placed.refused {
            if before.iter().any(|(known, why)| known.address == site.address && why == failure) {
                continue;
            }
            let text = refused_condition(id, site, nowhere, Some(&failure.message));
            reports.event(Event::Message(Severity::Warning, text));
            if nowhere {
                break;
            }
        }
        moved
    }
}
