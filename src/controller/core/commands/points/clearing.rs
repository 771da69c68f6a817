//! `clear`: the breakpoints at a place.

use crate::command::CommandId;
use crate::core::commands::breakpoints;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{
    Answer, Breakpoint, BreakpointId, CodePlace, DisassemblyFlavor, FunctionLine, LocationSpec, Operation, ProcessSet,
    SourcePlace,
};

/// The place of a location, as found on ranks.
#[derive(Debug, Default)]
struct Found {
    lines: Vec<SourcePlace>,
    code: Vec<CodePlace>,
}

impl Found {
    /// True if the breakpoint has a site there.
    fn has(&self, point: &Breakpoint) -> bool {
        let is_place = point.request.point.place().is_some();
        is_place
            && point.sites.iter().any(|(_, site)| {
                let code = self.code.iter().any(|code| code.module == site.module && code.offset == site.offset);
                code || site.source.as_ref().is_some_and(|line| self.lines.contains(line))
            })
    }
}

/// True if the breakpoint was set with exactly this location.
fn is_spelled(point: &Breakpoint, location: &LocationSpec) -> bool {
    point.request.point.place() == Some(location)
}

/// Requests the place of a location whose breakpoints are to be deleted.
pub(in crate::core) fn clear(core: &mut Interpreter, id: CommandId, target: Target, location: Option<LocationSpec>) {
    let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
    let named = target.named.then(|| target.ranks.clone());
    let pending = |point: &Breakpoint| point.sites.is_empty() && is_spelled(point, &location);
    if core.state.breakpoints.values().any(pending) {
        // The ranks would report a pending location as an error.
        clear_found(core, id, &location, named.as_ref(), Vec::new());
        return;
    }
    let context = core.context(&target);
    let then = Then::Clear(location.clone(), named);
    match location {
        LocationSpec::Address(_) => {
            let flavor = DisassemblyFlavor::default();
            let operation = Operation::Disassemble { context, at: Some(location), count: Some(1), flavor };
            core.ask_stopped(id, target, operation, then);
        }
        _ => {
            let operation = Operation::Resolve(location, context, FunctionLine::Body);
            core.ask_alive_then(id, target, operation, then);
        }
    }
}

/// Deletes the breakpoints at a place; true if the command continues.
pub(in crate::core) fn clear_found(
    core: &mut Interpreter,
    id: CommandId,
    location: &LocationSpec,
    named: Option<&ProcessSet>,
    good: Answers,
) -> bool {
    let mut found = Found::default();
    for (_, _, answer) in good {
        match answer {
            Answer::Places(places) => found.lines.extend(places),
            Answer::Instructions(instructions) => found.code.extend(instructions.into_iter().map(|one| one.code)),
            _ => {}
        }
    }
    let concerned = |point: &Breakpoint| named.is_none_or(|ranks| point.ranks.meets(ranks));
    let there = |point: &Breakpoint| is_spelled(point, location) || found.has(point);
    let points = core.state.breakpoints.iter().filter(|(_, point)| concerned(point) && there(point));
    let ids: Vec<BreakpointId> = points.map(|(id, _)| *id).collect();
    if ids.is_empty() {
        let words = format!("no breakpoint at {location}; \"breakpoints\" lists them");
        core.error(id, ProcessSet::new(), words, None);
        return false;
    }
    let numbers = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let set = named.map_or(String::new(), |ranks| format!("[{ranks}] "));
    let heading = Content::Text(named.cloned().unwrap_or_default(), format!("deleted: {numbers}"));
    let line = ScriptLine { heading: Some(heading), ..ScriptLine::plain(format!("{set}delete {numbers}")) };
    core.run_lines(id, vec![line], false)
}
