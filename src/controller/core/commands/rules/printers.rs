//! Loads the user's printers, and lists all of them.

use crate::command::CommandId;
use crate::core::Effect;
use crate::core::commands::session::configure;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Doing;
use crate::core::tasks::then::Then;
use crate::report::{Content, PrinterListing};
use model::{PrinterSource, ProcessSet, Severity, shipped_printers};
use std::collections::BTreeSet;

/// Asks for the text of a file of printers.
pub(in crate::core) fn load(core: &mut Interpreter, id: CommandId, path: String) {
    core.effect(id, Effect::Read(id, path.clone()), None);
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Printers(path);
    }
}

/// Puts the printers of a file in front of the others, and sends all of them to the engines.
pub(in crate::core) fn loaded(core: &mut Interpreter, id: CommandId, path: &str, text: Result<String, String>) {
    let added = text.and_then(|text| PrinterSource::parse(path, &text)).and_then(|file| {
        let count = file.rules.len();
        core.state.variables.printers_mut().put_first(file).map(|()| count).map_err(|why| format!("{path}: {why}"))
    });
    match added {
        Err(why) => core.refuse(id, ProcessSet::new(), why),
        Ok(count) => {
            let printers = if count == 1 { "1 printer".to_owned() } else { format!("{count} printers") };
            core.acknowledge(id, format!("{path}: {printers}"));
            configure(core, id, Then::Printers);
        }
    }
}

/// Adds the files that were found when the session began, each with its text.
pub(in crate::core) fn found(core: &mut Interpreter, files: Vec<(String, Result<String, String>)>) {
    for (name, text) in files {
        let parsed = text.and_then(|text| PrinterSource::parse(&name, &text));
        let added = parsed.and_then(|file| core.state.variables.printers_mut().put_first(file));
        if let Err(why) = added {
            core.tell(Severity::Warning, ProcessSet::new(), &format!("printers left out: {why}"));
        }
    }
}

/// Lists the files and the types that they are for; with a text, only the types that contain it.
pub(in crate::core) fn list(core: &mut Interpreter, id: CommandId, containing: Option<&str>) {
    let own = core.state.variables.printers().files().iter().map(|file| (file, false));
    let shipped = shipped_printers().iter().map(|file| (file, true));
    let row = |(file, shipped): (&PrinterSource, bool)| {
        let mut types: Vec<String> = file.rules.iter().flat_map(|rule| rule.types.iter().cloned()).collect();
        types.retain(|ty| containing.is_none_or(|text| ty.contains(text)));
        let mut seen = BTreeSet::new();
        types.retain(|ty| seen.insert(ty.clone()));
        PrinterListing { file: file.name.clone(), shipped, types }
    };
    let rows: Vec<PrinterListing> = own.chain(shipped).map(row).filter(|row| !row.types.is_empty()).collect();
    core.say(id, Content::Printers(rows));
    core.done(id);
}
