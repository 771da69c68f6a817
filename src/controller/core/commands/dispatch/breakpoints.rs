//! Dispatches the breakpoint commands.

use super::line::Line;
use super::skips;
use crate::command::BreakpointCommand;
use crate::core::commands::points::{clearing, each_function};
use crate::core::commands::{breakpoints, lookups};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Change;
use crate::report::Content;
use model::{Breakpoint, BreakpointId, Point, PointAction, ProcessSet, Watch};

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: BreakpointCommand) {
    let id = line.id();
    let target = line.into_target();
    match command {
        BreakpointCommand::Break { location, temporary, hardware, when } => {
            breakpoints::set_breakpoint(core, id, target, location, (temporary, hardware), when);
        }
        BreakpointCommand::EachFunction(query) => each_function::search(core, id, target, query),
        BreakpointCommand::Barrier(location, when) => {
            let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
            breakpoints::set_point(core, id, target, location.into(), PointAction::Barrier, when);
        }
        BreakpointCommand::Watch { access, expression, when } => {
            let watch = Watch { expression, access, context: core.context(&target) };
            breakpoints::set_point(core, id, target, Point::Watch(watch), PointAction::Stop, when);
        }
        BreakpointCommand::Catch { event, temporary, when } => {
            breakpoints::set_catchpoint(core, id, target, event, temporary, when);
        }
        BreakpointCommand::Trace { location, expressions, when } => {
            let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
            breakpoints::set_point(core, id, target, location.into(), PointAction::Trace(expressions), when);
        }
        BreakpointCommand::Breakpoints { ids, watches } => {
            let latest = core.state.breakpoints.keys().next_back().copied();
            let ids: Vec<_> =
                ids.into_iter().map(|one| latest.filter(|_| one == BreakpointId::LATEST).unwrap_or(one)).collect();
            if let Some(unknown) = ids.iter().find(|one| !core.state.breakpoints.contains_key(one)) {
                let why = format!("no breakpoint {unknown}; \"breakpoints\" lists them");
                return core.refuse(id, ProcessSet::new(), why);
            }
            let all = core.state.breakpoints.values();
            let is_wanted = |one: &&Breakpoint| {
                (ids.is_empty() || ids.contains(&one.request.id))
                    && (!watches || matches!(one.request.point, Point::Watch(_)))
            };
            let all: Vec<Breakpoint> = all.filter(is_wanted).cloned().collect();
            if all.is_empty() {
                let none = if watches { "no watchpoints" } else { "no breakpoints or watchpoints" };
                core.say(id, Content::Text(ProcessSet::new(), none.to_owned()));
            }
            let last = lookups::last_place(all.iter().flat_map(|breakpoint| &breakpoint.sites));
            for breakpoint in all {
                let lines = core.state.scripts.lines_of(breakpoint.request.id);
                core.say(id, breakpoints::shown(core, breakpoint));
                if !lines.is_empty() {
                    core.say(id, Content::Text(ProcessSet::new(), lines));
                }
            }
            if !lookups::note_places(core, id, last) {
                core.done(id);
            }
        }
        BreakpointCommand::Delete(ids) => breakpoints::delete_breakpoints(core, id, target, ids),
        BreakpointCommand::Clear(location) => clearing::clear(core, id, target, location),
        BreakpointCommand::Enable(ids, enabled) => {
            breakpoints::change_breakpoints(core, id, target, ids, Change::Enable(enabled));
        }
        BreakpointCommand::EnableFor(ids, countdown) => {
            breakpoints::change_breakpoints(core, id, target, ids, Change::EnableFor(countdown));
        }
        BreakpointCommand::PrintAt { location, format, expressions, when } => {
            let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
            let number = core.numbers.next_breakpoint();
            breakpoints::set_point(core, id, target, location.into(), PointAction::Trace(expressions), when);
            // Unless it was refused: the number is then that of the next breakpoint.
            if core.state.breakpoints.contains_key(&number) {
                core.state.scripts.formats.insert(number, format.to_string());
            }
        }
        BreakpointCommand::Skip(command) => skips::run(core, id, command),
        BreakpointCommand::Condition(breakpoint, condition) => {
            breakpoints::change_breakpoints(core, id, target, vec![breakpoint], Change::Condition(condition));
        }
        BreakpointCommand::After(breakpoint, n) => {
            breakpoints::change_breakpoints(core, id, target, vec![breakpoint], Change::Ignore(n));
        }
    }
}
