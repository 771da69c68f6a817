//! What enter at an empty prompt repeats.

use super::comment::without_comment;
use super::line::{command_at, parse_call};
use super::table::Repeat;
use super::{Command, ScriptCommand, Statement};
use crate::state::State;

/// Arguments that go on by themselves: the lines after or before those that were listed last.
const ONWARD: [&str; 2] = ["+", "-"];

/// Returns the line that enter at an empty prompt executes after this one, as in gdb; `None`: the line must not be
/// repeated by accident.
pub fn repetition_of(line: &str, state: &State) -> Option<String> {
    let line = without_comment(line).trim();
    let definitions = &state.scripts.definitions;
    if let Some(call) = parse_call(line, |name| definitions.contains_key(name)) {
        let Command::Scripts(ScriptCommand::Call(name, _)) = call.command else { return None };
        let body = definitions.get(&name).map_or([].as_slice(), |definition| &definition.body);
        return (!forbids_repetition(body)).then(|| line.to_owned());
    }
    let (entry, end) = command_at(line, &state.aliases)?;
    let given = line.get(end..)?.trim();
    match entry.repeat {
        Repeat::Never => None,
        // It runs any other command.
        _ if given.split_whitespace().next() == Some("apply") => None,
        Repeat::GoesOn if !ONWARD.contains(&given) => Some(line.get(..end)?.trim_end().to_owned()),
        Repeat::Same | Repeat::GoesOn => Some(line.to_owned()),
    }
}

/// True if one of these lines is `dont-repeat`.
fn forbids_repetition(lines: &[Statement]) -> bool {
    lines.iter().any(|statement| match statement {
        Statement::Line(line) => line.text.trim() == "dont-repeat",
        Statement::Block(block) => {
            forbids_repetition(&block.body) || block.otherwise.as_deref().is_some_and(forbids_repetition)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{entries, parse_script};
    use crate::state::Definition;

    #[test]
    fn a_line_is_repeated_unless_that_could_lose_something() {
        let mut state = State::default();
        state.aliases.insert("pp".to_owned(), "print/x".to_owned());
        state.aliases.insert("bye".to_owned(), "kill".to_owned());
        state.scripts.definitions.insert("greet".to_owned(), Default::default());
        let once = Definition { body: parse_script("if 1\ndont-repeat\nend\n", None).unwrap(), page: Vec::new() };
        state.scripts.definitions.insert("once".to_owned(), once);
        for (line, again) in [
            ("next", Some("next")),
            ("n", Some("n")),
            ("[0-1] step 3 # three", Some("[0-1] step 3")),
            ("c", Some("c")),
            ("print i", Some("print i")),
            ("pp i", Some("pp i")),
            ("info locals", Some("info locals")),
            ("greet 1", Some("greet 1")),
            ("once", None),
            ("x/4xw &a", Some("x/4xw")),
            ("x /4xw &a", Some("x /4xw")),
            ("[2] x &a", Some("[2] x")),
            ("list main", Some("list")),
            ("l 10,20", Some("l")),
            ("list -", Some("list -")),
            ("list", Some("list")),
            ("bye", None),
            ("run", None),
            ("restart", None),
            ("kill", None),
            ("detach", None),
            ("delete 1", None),
            ("thread apply all kill", None),
            ("taas kill", None),
            ("thread 2", Some("thread 2")),
            ("break main", None),
            ("set var x = 1", None),
            ("shell rm file", None),
            ("quit", None),
            ("nosuch", None),
            ("", None),
        ] {
            assert_eq!(repetition_of(line, &state).as_deref(), again, "{line}");
        }
    }

    /// Goes through the table, so that a new command of these kinds is looked at.
    #[test]
    fn no_command_that_ends_or_writes_something_is_repeated() {
        for name in ["kill", "restart", "run", "starti", "detach", "quit", "delete", "undisplay", "ungroup", "unset"] {
            let entry = entries().find(|entry| entry.name == name);
            assert_eq!(entry.map(|entry| entry.repeat), Some(Repeat::Never), "{name}");
        }
    }
}
