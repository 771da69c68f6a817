//! Lines that run silently, as with the flag `-s` of `thread apply`: their errors are dropped, and their headings are
//! reported only before other reports.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::script::Script;
use crate::core::tasks::task::Doing;

/// Returns the innermost command above one whose script fits.
fn script_above(
    core: &mut Interpreter,
    id: CommandId,
    fits: impl Fn(&Script) -> bool,
) -> Option<(CommandId, &mut Script)> {
    let is_it = |doing: &Doing| matches!(doing, Doing::Script(script) if fits(script));
    let above = core.above(id).find(|task| is_it(&task.doing)).map(|task| task.origin.id)?;
    match &mut core.tasks.get_mut(&above)?.doing {
        Doing::Script(script) => Some((above, script)),
        _ => None,
    }
}

/// True if the errors of a command are dropped.
pub(super) fn drops_errors(core: &mut Interpreter, id: CommandId) -> bool {
    script_above(core, id, Script::is_silent).is_some()
}

/// Reports the headings of silent lines that have waited for a report.
pub(super) fn say_kept_headings(core: &mut Interpreter, id: CommandId) {
    if let Some((script, lines)) = script_above(core, id, Script::keeps_heading)
        && let Some(heading) = lines.take_heading()
    {
        // Those of the scripts above come first.
        core.say(script, heading);
    }
}
