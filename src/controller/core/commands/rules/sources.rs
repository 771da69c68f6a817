//! Changes where sources are searched.

use crate::command::CommandId;
use crate::core::commands::session::configure;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Then;
use model::ProcessSet;

/// Puts directories in front of the others; without any, restores the usual ones.
pub(in crate::core) fn search_first(core: &mut Interpreter, id: CommandId, directories: &str) {
    if let Err(why) = core.state.variables.sources_mut().search_first(directories) {
        let position = core.position_in_line(id, directories, Some(0));
        core.error(id, ProcessSet::new(), why, position);
        return core.done(id);
    }
    core.acknowledge(id, core.state.variables.sentence("directories"));
    configure(core, id, Then::SourceRules);
}

/// Removes the rule for a directory, or all rules.
pub(in crate::core) fn keep(core: &mut Interpreter, id: CommandId, from: Option<&str>) {
    let rules = core.state.variables.sources_mut();
    match from {
        None => rules.keep_all(),
        Some(from) if rules.keep(from) => {}
        Some(from) => {
            let why = format!("no rule for {from:?}; \"show substitute-path\" lists the rules");
            return core.refuse(id, ProcessSet::new(), why);
        }
    }
    core.acknowledge(
        id,
        from.map_or("no rule of substitute-path is left".to_owned(), |from| {
            format!("paths below {from} stay as they are")
        }),
    );
    configure(core, id, Then::SourceRules);
}
