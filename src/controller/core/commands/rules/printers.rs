//! Loads the user's printers, and lists all of them.

use crate::command::CommandId;
use crate::core::Effect;
use crate::core::commands::session::configure;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Doing;
use crate::core::tasks::then::Then;
use crate::report::{Content, PrinterListing};
use model::{PrinterChoice, PrinterName, PrinterSource, ProcessSet, Severity, raw_text, raw_word};
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
            let named = core.directory.join(raw_word(path));
            core.state.printer_files.insert(raw_text(named.as_os_str()));
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
    let printers = core.state.variables.printers();
    let own: BTreeSet<&str> = printers.files().iter().map(|file| file.name.as_str()).collect();
    // The text may be a regular expression, as in gdb, or the pattern of a type, as it is listed.
    let choice = containing.and_then(|text| PrinterChoice::parse(Some(text), None).ok());
    let is_shown = |name: &PrinterName| {
        let matches = choice.as_ref().is_some_and(|choice| choice.chooses(name));
        matches || containing.is_none_or(|text| name.ty.contains(text))
    };
    let mut rows: Vec<PrinterListing> = Vec::new();
    for name in printers.names().into_iter().filter(is_shown) {
        if rows.last().is_none_or(|row| row.file != name.source) {
            let shipped = !own.contains(name.source.as_str());
            let file = name.source.clone();
            rows.push(PrinterListing { file, shipped, types: Vec::new(), disabled: BTreeSet::new() });
        }
        if let Some(row) = rows.last_mut()
            && !row.types.contains(&name.ty)
        {
            if !printers.is_enabled(&name.source, &name.ty) {
                row.disabled.insert(name.ty.clone());
            }
            row.types.push(name.ty);
        }
    }
    core.say(id, Content::Printers(rows));
    core.done(id);
}

/// Enables or disables printers, and tells the engines.
pub(in crate::core) fn enable(
    core: &mut Interpreter,
    id: CommandId,
    enabled: bool,
    (first, second): (Option<&str>, Option<&str>),
) {
    // It was parsed with the line.
    let Ok(choice) = PrinterChoice::parse(first, second) else { return core.done(id) };
    let (changed, chosen) = core.state.variables.printers_mut().enable(&choice, enabled);
    if chosen == 0 {
        let words: Vec<&str> = first.into_iter().chain(second).collect();
        let why = format!("no printer matches {}: \"info pretty-printer\" lists them", words.join(" "));
        return core.refuse(id, ProcessSet::new(), why);
    }
    let all = core.state.variables.printers().names().into_iter().collect::<BTreeSet<_>>().len();
    let left = all - core.state.variables.printers().disabled().count();
    let verb = if enabled { "enabled" } else { "disabled" };
    let noun = if changed == 1 { "printer" } else { "printers" };
    core.say(id, Content::Text(ProcessSet::new(), format!("{changed} {noun} {verb}, {left} of {all} are enabled")));
    configure(core, id, Then::Printers);
}
