//! The commands about functions that steps pass over.

use crate::command::{CommandId, SkipCommand};
use crate::core::commands::session;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{ProcessSet, Skip, Skipped, SkippedFiles};

pub(super) fn run(core: &mut Interpreter, id: CommandId, command: SkipCommand) {
    match command {
        SkipCommand::Function => match core.state.shown_function() {
            Some(function) => add(core, id, Skipped { function: Some(function), ..Skipped::default() }),
            None => core.refuse(id, ProcessSet::new(), "the shown rank has no function here: skip function NAME"),
        },
        SkipCommand::File => match core.state.shown_place() {
            Some(place) => {
                let file = Some(SkippedFiles::Named(place.file.to_string()));
                add(core, id, Skipped { file, ..Skipped::default() });
            }
            None => core.refuse(id, ProcessSet::new(), "the shown rank has no source file here: skip file FILE"),
        },
        SkipCommand::Add(what) => add(core, id, what),
        SkipCommand::List(numbers) => {
            let Some(fits) = chosen(core, id, numbers) else { return };
            let rows: Vec<String> =
                core.state.variables.skips().iter().filter(|skip| fits(skip.number)).map(row).collect();
            let text = if rows.is_empty() { "no functions are skipped".to_owned() } else { rows.join("\n") };
            core.say(id, Content::Text(ProcessSet::new(), text));
            core.done(id);
        }
        SkipCommand::Delete(numbers) => {
            let Some(fits) = chosen(core, id, numbers) else { return };
            core.state.variables.skips_mut().delete(fits);
            session::configure(core, id, Then::Configured);
        }
        SkipCommand::Enable(numbers, enabled) => {
            let Some(fits) = chosen(core, id, numbers) else { return };
            core.state.variables.skips_mut().enable(enabled, fits);
            session::configure(core, id, Then::Configured);
        }
    }
}

fn add(core: &mut Interpreter, id: CommandId, what: Skipped) {
    let number = core.numbers.take_skip();
    core.acknowledge(id, format!("skip {number}: steps pass over {what}"));
    core.state.variables.skips_mut().add(number, what);
    session::configure(core, id, Then::Configured);
}

fn row(skip: &Skip) -> String {
    let disabled = if skip.enabled { "" } else { " (disabled)" };
    format!("skip {}: {}{disabled}", skip.number, skip.what)
}

/// Returns which numbers are meant, all if none is named; reports an error if one does not exist.
fn chosen(core: &mut Interpreter, id: CommandId, numbers: Vec<u32>) -> Option<impl Fn(u32) -> bool + use<>> {
    let is_known = |number: &u32| core.state.variables.skips().iter().any(|skip| skip.number == *number);
    if let Some(unknown) = numbers.iter().find(|number| !is_known(number)) {
        let message = format!("no skip {unknown}; \"info skip\" lists them");
        let position = core.position_in_line(id, &unknown.to_string(), Some(0));
        core.error(id, ProcessSet::new(), message, position);
        core.done(id);
        return None;
    }
    Some(move |number| numbers.is_empty() || numbers.contains(&number))
}
