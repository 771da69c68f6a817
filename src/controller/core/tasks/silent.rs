//! Lines that run silently, as with the flag `-s` of `thread apply`: their errors are dropped, and their headings are
//! reported only before other reports.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::script::Script;
use crate::core::tasks::task::Doing;

impl Interpreter {
    /// Returns the script of the innermost command above one that fits.
    fn script_above(&mut self, id: CommandId, fits: impl Fn(&Script) -> bool) -> Option<(CommandId, &mut Script)> {
        let is_it = |doing: &Doing| matches!(doing, Doing::Script(script) if fits(script));
        let above = self.above(id).find(|task| is_it(&task.doing)).map(|task| task.origin.id)?;
        match &mut self.tasks.get_mut(&above)?.doing {
            Doing::Script(script) => Some((above, script)),
            _ => None,
        }
    }

    /// True if the errors of a command are dropped.
    pub(in crate::core) fn drops_errors(&mut self, id: CommandId) -> bool {
        self.script_above(id, Script::is_silent).is_some()
    }

    /// Reports the headings of silent lines that have waited for a report.
    pub(in crate::core) fn say_kept_headings(&mut self, id: CommandId) {
        if let Some((script, lines)) = self.script_above(id, Script::keeps_heading)
            && let Some(heading) = lines.take_heading()
        {
            // Those of the scripts above come first.
            self.say(script, heading);
        }
    }
}
