//! Files of commands, and the log.

use crate::command::{CommandId, Logging, VARIABLES, parse_script};
use crate::core::commands::rules::printers;
use crate::core::commands::saving::writing;
use crate::core::commands::scripting::blocks;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Doing;
use crate::core::{Effect, LogOrder};
use crate::report::Content;
use crate::saved::{breakpoint_commands, commands, run_commands};
use crate::state::{LogSettings, Phase};
use model::{ProcessSet, ProcessState, Severity};

/// The limit for files that run files: one that runs itself must end.
const DEPTH: usize = 16;

/// Returns the named file, or the program's own; without either the command ends.
fn file_or_own(core: &mut Interpreter, id: CommandId, path: Option<String>) -> Option<String> {
    let own = || core.saved.as_ref().map(|saved| saved.path.display().to_string());
    let found = path.or_else(own);
    if found.is_none() {
        core.refuse(id, ProcessSet::new(), "expected a file name: this session has no default file");
    }
    found
}

pub(in crate::core) fn save(core: &mut Interpreter, id: CommandId, path: Option<String>) {
    let Some(path) = file_or_own(core, id, path) else { return };
    let text = commands(&core.state);
    let said = format!("breakpoints, groups and settings saved in {path}");
    core.effect(id, Effect::Write(id, path, text), Some(Content::Text(ProcessSet::new(), said)));
}

/// Runs a command with another value of a setting.
pub(in crate::core) fn with(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    (name, value): (&str, &str),
    line: String,
) {
    let fault = core.state.variables.clone().set(name, value).err().map(|error| error.to_string());
    let rows = core.state.variables.rows(Some(name));
    let variable = VARIABLES.iter().find(|variable| variable.name == name);
    let former = match (fault, variable, rows.as_slice()) {
        (Some(fault), ..) => Err(fault),
        (None, Some(variable), [(_, former)]) => Ok(variable.written(former)),
        (None, ..) => Err(format!("{name} has several values: change it with \"set\"")),
    };
    match former {
        Ok(former) => {
            if let Some(task) = core.tasks.get_mut(&id) {
                task.focus = Some(target).filter(|target| target.named);
            }
            let lines = [format!("set {name} {value}"), line, format!("set {name} {former}")];
            core.run_lines(id, lines.map(ScriptLine::plain).into(), true);
        }
        Err(why) => {
            let position = core.position_in_line(id, value, Some(0));
            core.error(id, ProcessSet::new(), why, position);
            core.done(id);
        }
    }
}

pub(in crate::core) fn save_breakpoints(core: &mut Interpreter, id: CommandId, path: String) {
    let text = breakpoint_commands(&core.state);
    let said = format!("breakpoints saved in {path}");
    core.effect(id, Effect::Write(id, path, text), Some(Content::Text(ProcessSet::new(), said)));
}

/// Keeps the job so that `rankscope run @NAME` starts it again, with breakpoints and settings.
pub(in crate::core) fn save_run(core: &mut Interpreter, id: CommandId, name: String) {
    let said = format!("saved: \"rankscope run @{name}\" starts this job again, with its breakpoints");
    let (arguments, changes) = (core.state.start.arguments.clone(), core.state.start.changes.clone());
    let setup = run_commands(&core.state);
    let effect = Effect::SaveRun { command: id, name, arguments, changes, setup };
    core.effect(id, effect, Some(Content::Text(ProcessSet::new(), said)));
}

/// Begins or, without a file, ends a log.
pub(in crate::core) fn log(core: &mut Interpreter, id: CommandId, path: Option<String>) {
    let said = match &path {
        Some(path) => format!("logging to {path}"),
        None => "logging is off".to_owned(),
    };
    let said = core.is_acknowledged(id).then_some(Content::Text(ProcessSet::new(), said));
    core.state.logging.enabled = path.is_some();
    let LogSettings { overwrite, redirect, .. } = core.state.logging;
    let order = path.map(|path| LogOrder { path, overwrite, redirect });
    core.effect(id, Effect::Log(id, order), said);
}

/// Changes logging as gdb's `set logging` does: a change holds from the next start.
pub(in crate::core) fn change_logging(core: &mut Interpreter, id: CommandId, change: Logging) {
    let logging = &mut core.state.logging;
    let said = match change {
        Logging::File(path) => {
            let said = format!("\"set logging enabled on\" will log to {path}");
            logging.file = Some(path);
            said
        }
        Logging::Enabled(on) => {
            let path = logging.file();
            return log(core, id, on.then_some(path));
        }
        Logging::Overwrite(on) => {
            logging.overwrite = on;
            format!("the next log {} its file", if on { "replaces" } else { "is added to" })
        }
        Logging::Redirect(on) => {
            logging.redirect = on;
            let words = if on { "a script writes to the next log only" } else { "what is logged is shown, too" };
            words.to_owned()
        }
        Logging::Show => {
            let rows = logging.rows();
            core.say(id, Content::Settings(rows));
            return core.done(id);
        }
    };
    core.acknowledge(id, said);
    core.done(id);
}

/// Offers the saved setup of the program, once a job is ready.
pub(in crate::core) fn offer_saved(core: &mut Interpreter) {
    if let Some(saved) = &mut core.saved
        && std::mem::take(&mut saved.exists)
        && !saved.restores
        && !core.batch
    {
        let words = "found saved breakpoints and settings of this program: \":source\" restores them";
        core.tell(Severity::Note, ProcessSet::new(), words);
    }
}

/// True once: when the setup of a job that is started again is to be restored. No rank is still starting then, so that
/// the places of breakpoints are known.
pub(in crate::core) fn restores_now(core: &mut Interpreter) -> bool {
    let is_starting = || core.state.ranks.groups().any(|(_, state)| matches!(state, ProcessState::Starting));
    let is_due = core.saved.as_ref().is_some_and(|saved| saved.restores)
        && !core.batch
        && core.state.phase == Phase::Live
        && !is_starting();
    is_due && core.saved.as_mut().is_some_and(|saved| std::mem::take(&mut saved.restores))
}

pub(in crate::core) fn source(core: &mut Interpreter, id: CommandId, path: Option<String>) {
    let Some(path) = file_or_own(core, id, path) else { return };
    let depth = core.above(id).filter(|task| task.reads.is_some()).count();
    if depth >= DEPTH {
        core.refuse(id, ProcessSet::new(), "files are nested too deeply; does one source itself?");
        return;
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        task.reads = Some(path.as_str().into());
    }
    core.effect(id, Effect::Read(id, path), None);
}

pub(in crate::core) fn provided(core: &mut Interpreter, id: CommandId, outcome: Result<String, String>) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    if let Doing::Printers(path) = &task.doing {
        let path = path.clone();
        return printers::loaded(core, id, &path, outcome);
    }
    if let Doing::Saving(_) = &task.doing {
        if let Doing::Saving(saving) = std::mem::replace(&mut task.doing, Doing::Beginning) {
            writing::written(core, id, saving, outcome);
        }
        return;
    }
    let Doing::Effect(said) = &mut task.doing else { return };
    let said = said.take();
    let path = task.reads.clone();
    match outcome {
        Err(why) => core.refuse(id, ProcessSet::new(), why),
        Ok(text) => match parse_script(&text, path) {
            Ok(statements) => {
                if let Some(said) = said {
                    core.say(id, *said);
                }
                blocks::file_read(core, id, statements);
            }
            Err(error) => {
                task.origin.place = error.line.place;
                core.refuse(id, ProcessSet::new(), error.message);
            }
        },
    }
}
