//! gdb's hooks: `hook-NAME` runs before the command NAME, `hookpost-NAME` after it.

use crate::command::{CommandId, Statement, command_word, entries, is_beginning_of};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Nature;

/// The beginnings of their names: before a command, and after it.
const BEFORE: &str = "hook-";
const AFTER: &str = "hookpost-";

/// Returns why a command of this name cannot be defined: it would be a hook of nothing.
pub(in crate::core) fn why_no_hook(core: &Interpreter, name: &str) -> Option<String> {
    let (of, after) = match (name.strip_prefix(BEFORE), name.strip_prefix(AFTER)) {
        (Some(of), _) => (of, false),
        (None, Some(of)) => (of, true),
        (None, None) => return None,
    };
    if of == "stop" {
        return after
            .then(|| "hook-stop and \"on stop COMMAND\" run at stops; nothing runs after hook-stop".to_owned());
    }
    let is_command = entries().any(|entry| entry.name == of || entry.aliases.contains(&of));
    let is_known = is_command || core.state.scripts.definitions.contains_key(of);
    (!is_known).then(|| format!("no command {of:?} for the hook: \"help\" lists them"))
}

/// Has a line run between the hooks of its command; false if it has none. A hook does not run inside itself.
pub(in crate::core) fn run_around(core: &mut Interpreter, id: CommandId, statement: &Statement) -> bool {
    let definitions = &core.state.scripts.definitions;
    if !definitions.keys().any(|name| name.starts_with(BEFORE) || name.starts_with(AFTER)) {
        return false;
    }
    let Some((set, typed)) = command_word(&statement.head().text) else { return false };
    let hook = |begin: &str| {
        let of = |name: &&String| name.strip_prefix(begin).is_some_and(|of| of != "stop" && means(typed, of));
        definitions.keys().find(of).cloned()
    };
    let (before, after) = (hook(BEFORE), hook(AFTER));
    let is_inside = |name: &Option<String>| {
        let of = |nature: &Nature| matches!(nature, Nature::Hooked(names) if names.contains(name) && name.is_some());
        core.above(id).any(|task| of(&task.nature))
    };
    if before.is_none() && after.is_none() || is_inside(&before) || is_inside(&after) {
        return false;
    }
    let line = |name: &String| ScriptLine::plain(format!("{set}{name}"));
    let mut lines: Vec<ScriptLine> = before.iter().map(line).collect();
    lines.push(ScriptLine::of(statement.clone()));
    lines.extend(after.iter().map(line));
    if let Some(task) = core.tasks.get_mut(&id) {
        task.nature = Nature::Hooked([before, after]);
    }
    core.run_lines(id, lines, false)
}

/// True if a word that was typed means the command of a hook: its name, or a beginning of it.
fn means(typed: &str, of: &str) -> bool {
    let is_short = of.starts_with(typed) || typed == "bt" && of == "backtrace";
    typed == of || is_short && is_beginning_of(typed, of)
}
