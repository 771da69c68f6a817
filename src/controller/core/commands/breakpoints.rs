//! Breakpoints of the session: what the user asked for is kept here, what it became is told by the ranks.

use super::dispatch::Target;
use crate::command::When;
use crate::core::tasks::task::{Change, Then};
use crate::core::{CommandId, Controller};
use crate::report::Content;
use model::{
    Breakpoint, BreakpointId, BreakpointRequest, LocationSpec, Operation, Point, PointAction, ProcessSet, ProcessState,
    Rank, Site, SourcePlace, ThreadId,
};

impl Controller {
    pub(in crate::core) fn set_breakpoint(
        &mut self,
        id: CommandId,
        target: Target,
        location: Option<LocationSpec>,
        temporary: bool,
        when: When,
    ) {
        let Some(location) = self.location_or_shown(id, location) else { return };
        let request = BreakpointRequest { temporary, ..self.request(location.into(), when) };
        self.plant(id, target, request);
    }

    /// Sets a point that always stops or traces.
    pub(in crate::core) fn set_point(
        &mut self,
        id: CommandId,
        target: Target,
        point: Point,
        action: PointAction,
        when: When,
    ) {
        let request = BreakpointRequest { action, ..self.request(point, when) };
        self.plant(id, target, request);
    }

    /// The place of a command, or the line of the shown frame.
    pub(in crate::core) fn location_or_shown(
        &mut self,
        id: CommandId,
        location: Option<LocationSpec>,
    ) -> Option<LocationSpec> {
        let shown = || self.shown_place().map(|at| LocationSpec::FileLine { file: at.file.to_string(), line: at.line });
        let found = location.map(|location| self.completed(location)).or_else(shown);
        if found.is_none() {
            let why = "the shown rank is at no line: say where, as file:line, function or *address";
            self.refuse(id, ProcessSet::new(), why);
        }
        found
    }

    fn request(&self, point: Point, when: When) -> BreakpointRequest {
        let When { condition, ignore, thread } = when;
        let number = BreakpointId(self.next_breakpoint);
        BreakpointRequest { condition, ignore, thread, ..BreakpointRequest::at(number, point) }
    }

    fn plant(&mut self, id: CommandId, target: Target, request: BreakpointRequest) {
        if self.refused(id, &target.ranks) {
            return;
        }
        let ranks = if matches!(request.point, Point::Watch(_)) {
            // What is watched is an expression of a frame.
            let Some(stopped) = self.stopped_of(id, &target) else { return };
            stopped
        } else {
            let alive = target.ranks.difference(&self.state.ranks.ended());
            if alive.is_empty() {
                self.refuse(id, target.ranks, "every rank of the set has ended");
                return;
            }
            self.miss_lost(id, &target);
            alive
        };
        self.next_breakpoint += 1;
        let number = request.id;
        let operation = Operation::SetBreakpoint(request);
        // One is kept for all; the ranks are asked for it at the frames that they look at.
        let asked = self.at_own_frames(ranks.clone(), operation.clone()).into_iter().next();
        if let Some((_, Operation::SetBreakpoint(request))) = asked {
            self.state.breakpoints.insert(number, Breakpoint::asked(request, ranks.clone()));
        }
        self.ask(id, vec![(ranks, operation)], Then::Breakpoint(number));
    }

    /// A line without a file is one of the file that was listed, or of the shown one.
    pub(in crate::core) fn completed(&self, location: LocationSpec) -> LocationSpec {
        match (location, &self.listed) {
            (LocationSpec::Line(line), Some(listed)) => LocationSpec::FileLine { file: listed.file.to_string(), line },
            (other, _) => self.of_shown(other),
        }
    }

    /// A line without a file is one of the shown file.
    pub(in crate::core) fn of_shown(&self, location: LocationSpec) -> LocationSpec {
        match (location, self.shown_place()) {
            (LocationSpec::Line(line), Some(place)) => LocationSpec::FileLine { file: place.file.to_string(), line },
            (other, _) => other,
        }
    }

    /// The line of the frame that is shown.
    pub(in crate::core) fn shown_place(&self) -> Option<SourcePlace> {
        self.place_of(self.state.lead, self.state.thread)
    }

    /// The line of the frame that a rank looks at.
    pub(in crate::core) fn place_of(&self, rank: Rank, thread: Option<ThreadId>) -> Option<SourcePlace> {
        if let Some(frame) = self.state.frames.frame(rank, thread) {
            return frame.source.clone();
        }
        match self.state.ranks.state(rank)? {
            ProcessState::Stopped(stop) => stop.frame.source.clone(),
            _ => None,
        }
    }

    /// Those named, or all; an error when one is not there.
    fn chosen(&mut self, id: CommandId, ids: Vec<BreakpointId>) -> Option<Vec<BreakpointId>> {
        if ids.is_empty() {
            return Some(self.state.breakpoints.keys().copied().collect());
        }
        let latest = self.state.breakpoints.last_key_value().map(|(&id, _)| id);
        let real = |id| if id == BreakpointId::LATEST { latest.unwrap_or(id) } else { id };
        let ids: Vec<BreakpointId> = ids.into_iter().map(real).collect();
        match ids.iter().find(|id| !self.state.breakpoints.contains_key(id)) {
            None => Some(ids),
            Some(unknown) => {
                let message = format!("there is no breakpoint {unknown}; \"breakpoints\" lists them");
                let position = self.position_in_line(id, &unknown.to_string(), Some(0));
                self.error(id, ProcessSet::new(), message, position);
                self.done(id);
                None
            }
        }
    }

    pub(in crate::core) fn delete_breakpoints(&mut self, id: CommandId, target: Target, ids: Vec<BreakpointId>) {
        let Some(ids) = self.chosen(id, ids) else { return };
        let ended = self.state.ranks.ended();
        let mut questions = Vec::new();
        for number in &ids {
            let Some(breakpoint) = self.state.breakpoints.get_mut(number) else { continue };
            let whom =
                if target.named { breakpoint.ranks.intersection(&target.ranks) } else { breakpoint.ranks.clone() };
            // Nobody needs to be asked on ranks that have ended: there it is gone already.
            breakpoint.ranks.remove_all(&whom.intersection(&ended));
            questions.push((whom.difference(&ended), Operation::DeleteBreakpoint(*number)));
        }
        self.ask(id, questions, Then::Change(ids, Change::Delete));
    }

    pub(in crate::core) fn change_breakpoints(
        &mut self,
        id: CommandId,
        target: Target,
        ids: Vec<BreakpointId>,
        change: Change,
    ) {
        let Some(ids) = self.chosen(id, ids) else { return };
        let ended = self.state.ranks.ended();
        let mut questions = Vec::new();
        for number in &ids {
            let Some(breakpoint) = self.state.breakpoints.get(number) else { continue };
            let ranks = breakpoint.ranks.clone();
            if target.named && !ranks.is_subset(&target.ranks) {
                let message = format!(
                    "breakpoint {number} is one and the same for [{ranks}]; delete it for some of them, and set another"
                );
                self.refuse(id, ProcessSet::new(), message);
                return;
            }
            let operation = match &change {
                Change::Delete => Operation::DeleteBreakpoint(*number),
                Change::Enable(enabled) => Operation::EnableBreakpoint(*number, *enabled),
                Change::Condition(condition) => Operation::SetCondition(*number, condition.clone()),
                Change::Ignore(n) => Operation::SetIgnore(*number, *n),
            };
            questions.push((ranks.difference(&ended), operation));
        }
        self.ask(id, questions, Then::Change(ids, change));
    }

    /// Ranks made a change, or it concerns nobody alive.
    pub(in crate::core) fn breakpoint_changed(
        &mut self,
        id: CommandId,
        number: BreakpointId,
        change: &Change,
        ok: &ProcessSet,
    ) {
        let Some(breakpoint) = self.state.breakpoints.get_mut(&number) else { return };
        let request = &mut breakpoint.request;
        match change {
            Change::Delete => {
                if breakpoint.leave(ok) {
                    self.state.breakpoints.remove(&number);
                }
                self.settle_barriers();
                return;
            }
            Change::Enable(enabled) => request.enabled = *enabled,
            Change::Condition(condition) => request.condition.clone_from(condition),
            Change::Ignore(n) => breakpoint.ignore(ok, *n),
        }
        let content = Content::Breakpoint(breakpoint.clone());
        self.say(id, content);
        self.settle_barriers();
    }
}

/// Replaces what a breakpoint became on some ranks.
pub(in crate::core) fn move_sites(known: &mut Vec<(ProcessSet, Site)>, ranks: &ProcessSet, sites: Vec<Site>) {
    for (set, _) in known.iter_mut() {
        set.remove_all(ranks);
    }
    known.retain(|(set, _)| !set.is_empty());
    for site in sites {
        match known.iter_mut().find(|(_, old)| old.without_address() == site.without_address()) {
            Some((set, old)) => {
                if old.address != site.address {
                    old.address = None;
                }
                set.extend_with(ranks);
            }
            None => known.push((ranks.clone(), site)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::VirtualAddress;

    #[test]
    fn sites_are_kept_by_ranks_and_addresses_only_when_equal() {
        let site = |offset, address| Site {
            module: Some("/lib/a.so".into()),
            offset,
            address: Some(VirtualAddress(address)),
            function: None,
            source: None,
        };
        let mut sites = Vec::new();
        move_sites(&mut sites, &ProcessSet::range(0, 2), vec![site(0x10, 0x1010)]);
        move_sites(&mut sites, &ProcessSet::range(2, 4), vec![site(0x10, 0x2010)]);
        assert_eq!(sites, [(ProcessSet::all(4), Site { address: None, ..site(0x10, 0) })]);
        move_sites(&mut sites, &ProcessSet::range(1, 4), vec![]);
        assert_eq!(sites.len(), 1);
        assert_eq!(sites[0].0, ProcessSet::range(0, 1));
    }
}
