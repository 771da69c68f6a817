//! Breakpoints of the session: the user's requests are kept here, the ranks report the resulting sites.

use crate::command::{CommandId, When};
use crate::core::interpreter::Interpreter;
use crate::core::own_frames::at_own_frames;
use crate::core::target::Target;
use crate::core::tasks::then::{Change, Onward, Then};
use crate::report::Content;
use model::{
    Breakpoint, BreakpointId, BreakpointRequest, Catch, LocationSpec, Operation, Point, PointAction, ProcessSet, Site,
};

/// Replaces the sites of a breakpoint on some ranks.
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

pub(in crate::core) fn set_breakpoint(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    location: Option<LocationSpec>,
    (temporary, hardware): (bool, bool),
    when: When,
) {
    let Some(location) = location_or_shown(core, id, location) else { return };
    let request = BreakpointRequest { temporary, hardware, ..request(core, location.into(), when) };
    plant(core, id, target, request);
}

pub(in crate::core) fn set_catchpoint(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    event: Catch,
    temporary: bool,
    when: When,
) {
    let request = BreakpointRequest { temporary, ..request(core, Point::Catch(event), when) };
    plant(core, id, target, request);
}

/// Sets a breakpoint or tracepoint.
pub(in crate::core) fn set_point(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    point: Point,
    action: PointAction,
    when: When,
) {
    let request = BreakpointRequest { action, ..request(core, point, when) };
    plant(core, id, target, request);
}

/// Returns the location of a command, or the line of the shown frame.
pub(in crate::core) fn location_or_shown(
    core: &mut Interpreter,
    id: CommandId,
    location: Option<LocationSpec>,
) -> Option<LocationSpec> {
    let shown =
        || core.state.shown_place().map(|at| LocationSpec::FileLine { file: at.file.to_string(), line: at.line });
    let found = location.map(|location| core.state.completed(location)).or_else(shown);
    if found.is_none() {
        let why = "the shown rank has no current line: give file:line, function or *address";
        core.refuse(id, ProcessSet::new(), why);
    }
    found
}

fn request(core: &Interpreter, point: Point, when: When) -> BreakpointRequest {
    let When { condition, ignore, thread } = when;
    let number = core.numbers.next_breakpoint();
    BreakpointRequest { condition, ignore, thread, ..BreakpointRequest::at(number, point) }
}

fn plant(core: &mut Interpreter, id: CommandId, target: Target, request: BreakpointRequest) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let ranks = if matches!(request.point, Point::Watch(_)) {
        // The watched expression belongs to a frame.
        let Some(stopped) = core.stopped_of(id, &target) else { return };
        let unknown = core.state.select_user_frames(&stopped, target.thread);
        if !unknown.is_empty() {
            return core.await_user_frames(id, unknown, target.thread, Onward::Plant(stopped, request));
        }
        stopped
    } else {
        let alive = target.ranks.difference(&core.state.ranks.ended());
        if alive.is_empty() {
            // gdb sets breakpoints before the program runs, too; a job that was attached to cannot start again.
            let ended = target.ranks.intersection(&core.state.ranks.ended());
            if core.state.is_attached || ended.is_empty() {
                return core.refuse(id, target.ranks, "all ranks of the set have ended");
            }
            if let Some(LocationSpec::Line(line)) = request.point.place() {
                let why = format!("no rank has a current file any more: name it, as in break FILE:{line}");
                return core.refuse(id, target.ranks, why);
            }
            return plant_in(core, id, ended, request);
        }
        core.miss_lost(id, &target);
        alive
    };
    plant_in(core, id, ranks, request);
}

/// As [`plant`], in ranks that can be asked and whose frames are selected.
pub(in crate::core) fn plant_in(core: &mut Interpreter, id: CommandId, ranks: ProcessSet, request: BreakpointRequest) {
    core.numbers.breakpoint_taken();
    let number = request.id;
    let operation = Operation::SetBreakpoint(request);
    // One is kept for all ranks; each rank gets it for its selected frame.
    let asked = at_own_frames(&core.state.frames, ranks.clone(), operation.clone()).into_iter().next();
    if let Some((_, Operation::SetBreakpoint(request))) = asked {
        core.state.breakpoints.insert(number, Breakpoint::asked(request, ranks.clone()));
    }
    core.ask(id, vec![(ranks, operation)], Then::Breakpoint(number));
}

/// Returns the named breakpoints, or all; reports an error if one does not exist.
fn chosen(core: &mut Interpreter, id: CommandId, ids: Vec<BreakpointId>) -> Option<Vec<BreakpointId>> {
    if ids.is_empty() {
        return Some(core.state.breakpoints.keys().copied().collect());
    }
    let latest = core.state.breakpoints.last_key_value().map(|(&id, _)| id);
    let real = |id| if id == BreakpointId::LATEST { latest.unwrap_or(id) } else { id };
    let ids: Vec<BreakpointId> = ids.into_iter().map(real).collect();
    let (known, unknown): (Vec<_>, Vec<_>) = ids.into_iter().partition(|id| core.state.breakpoints.contains_key(id));
    // As in gdb, the others are meant all the same.
    if let Some(unknown) = unknown.first() {
        let message = format!("no breakpoint {unknown}; \"breakpoints\" lists them");
        let position = core.position_in_line(id, &unknown.to_string(), Some(0));
        core.error(id, ProcessSet::new(), message, position);
    }
    if known.is_empty() {
        core.done(id);
        return None;
    }
    Some(known)
}

pub(in crate::core) fn delete_breakpoints(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    ids: Vec<BreakpointId>,
) {
    let Some(ids) = chosen(core, id, ids) else { return };
    let absent = core.state.ranks.absent();
    let mut questions = Vec::new();
    for number in &ids {
        let Some(breakpoint) = core.state.breakpoints.get_mut(number) else { continue };
        let whom = if target.named { breakpoint.ranks.intersection(&target.ranks) } else { breakpoint.ranks.clone() };
        breakpoint.ranks.remove_all(&whom.intersection(&absent));
        questions.push((whom.difference(&absent), Operation::DeleteBreakpoint(*number)));
    }
    core.ask(id, questions, Then::Change(ids, Change::Delete));
}

pub(in crate::core) fn change_breakpoints(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    ids: Vec<BreakpointId>,
    change: Change,
) {
    let Some(ids) = chosen(core, id, ids) else { return };
    // Those that have ended are asked, too: the master sets the breakpoint again when they start again.
    let absent = core.state.ranks.absent();
    let mut questions = Vec::new();
    for number in &ids {
        let Some(breakpoint) = core.state.breakpoints.get(number) else { continue };
        let ranks = breakpoint.ranks.clone();
        if target.named && !ranks.is_subset(&target.ranks) {
            let message =
                format!("breakpoint {number} applies to [{ranks}]: delete it on some of them and set another there");
            core.refuse(id, ProcessSet::new(), message);
            return;
        }
        let operation = match &change {
            Change::Delete => Operation::DeleteBreakpoint(*number),
            Change::Enable(enabled) => Operation::EnableBreakpoint(*number, *enabled),
            Change::EnableFor(_) => Operation::EnableBreakpoint(*number, true),
            Change::Condition(condition) => Operation::SetCondition(*number, condition.clone()),
            Change::Ignore(n) => Operation::SetIgnore(*number, *n),
        };
        questions.push((ranks.difference(&absent), operation));
    }
    core.ask(id, questions, Then::Change(ids, change));
}

/// Records a change that ranks made, or that concerns no live rank.
pub(in crate::core) fn breakpoint_changed(
    core: &mut Interpreter,
    id: CommandId,
    number: BreakpointId,
    change: &Change,
    ok: &ProcessSet,
) {
    let Some(breakpoint) = core.state.breakpoints.get_mut(&number) else { return };
    let request = &mut breakpoint.request;
    match change {
        Change::Delete => {
            if breakpoint.leave(ok) {
                core.state.breakpoints.remove(&number);
            }
            core.settle_barriers();
            return;
        }
        Change::Enable(enabled) => {
            request.enabled = *enabled;
            core.state.scripts.countdowns.remove(&number);
        }
        Change::EnableFor(countdown) => {
            request.enabled = true;
            core.state.scripts.count_down(number, &breakpoint.ranks, *countdown);
        }
        Change::Condition(condition) => request.condition.clone_from(condition),
        Change::Ignore(n) => breakpoint.ignore(ok, *n),
    }
    let breakpoint = breakpoint.clone();
    core.say(id, shown(core, breakpoint));
    core.settle_barriers();
}

/// Returns the report of a breakpoint. If all of its ranks have ended, no library can define its location any more: it is
/// set when the job starts again.
pub(in crate::core) fn shown(core: &Interpreter, breakpoint: Breakpoint) -> Content {
    let has_ended = !breakpoint.ranks.is_empty() && breakpoint.ranks.is_subset(&core.state.ranks.ended());
    if has_ended { Content::BreakpointForStart(breakpoint) } else { Content::Breakpoint(breakpoint) }
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
