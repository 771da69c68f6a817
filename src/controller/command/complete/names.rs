//! Completion of names in expressions, of types and of files.

use super::{Completion, command_of, takes_names};
use crate::command::{ArgumentKind, Entry};
use crate::state::State;
use std::collections::BTreeSet;

/// The words before the name of a type in C.
const TAGS: [&str; 4] = ["struct", "union", "enum", "class"];
/// Variables of the debugger, and registers that every processor has by these names.
const CONVENIENCE: [&str; 14] = [
    "$_",
    "$__",
    "$_exitcode",
    "$_exitsignal",
    "$_gthread",
    "$_hit_bpnum",
    "$_inferior",
    "$_rank",
    "$_siginfo",
    "$_thread",
    "$bpnum",
    "$fp",
    "$pc",
    "$sp",
];

/// Splits the line before the name at its end, which may have namespaces and classes: `model::Fi`, `model::`.
pub(super) fn last_word(line: &str) -> (&str, &str) {
    let mut start = line.len();
    loop {
        let before = line.get(..start).unwrap_or("");
        let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let scope = line.get(..word).and_then(|before| before.strip_suffix("::"));
        match scope.filter(|scope| scope.ends_with(|c: char| c.is_alphanumeric() || c == '_')) {
            Some(scope) => start = scope.len(),
            None => {
                start = word;
                break;
            }
        }
    }
    let start = if line.get(..start).is_some_and(|before| before.ends_with('$')) { start - 1 } else { start };
    line.split_at_checked(start).unwrap_or((line, ""))
}

/// Completes a name in an expression: variables of the frame, then of the program, then of libraries, then types.
pub(super) fn of_expression(line: &str, state: &State) -> Completion {
    let (before, begun) = last_word(line);
    let mut found = Completion { start: before.len(), candidates: Vec::new() };
    let words: Vec<Vec<String>> = if begun.starts_with('$') {
        let registers = state.inspection.registers.value().into_iter().flatten();
        let registers = registers.map(|register| format!("${}", register.name)).collect();
        vec![CONVENIENCE.iter().map(|&name| name.to_owned()).collect(), registers]
    } else if let Some(tag) = tag_before(before) {
        vec![state.known_types(Some(tag)).into_iter().collect()]
    } else if begun.is_empty() && ends_operand(before) {
        // An operator comes next, no name.
        Vec::new()
    } else {
        let mut words = state.variables_in_order();
        words.push(state.known_enumerators().into_iter().collect());
        if !begun.is_empty() {
            words.push(state.known_types(None).into_iter().collect());
            words.push(TAGS.iter().map(|&tag| tag.to_owned()).collect());
        }
        words
    };
    let mut seen = BTreeSet::new();
    for name in words.into_iter().flatten() {
        if name.starts_with(begun) && name != begun && seen.insert(name.clone()) {
            found.candidates.push(name);
        }
    }
    found
}

fn tag_before(before: &str) -> Option<&'static str> {
    let word = before.strip_suffix(char::is_whitespace)?.trim_end();
    TAGS.into_iter().find(|tag| {
        word.strip_suffix(tag).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// True if the text ends with a whole operand and a blank. The name of the command is none.
fn ends_operand(before: &str) -> bool {
    let Some(text) = before.strip_suffix(char::is_whitespace).map(str::trim_end) else { return false };
    let arguments = text.trim_start().split_once(|c: char| c.is_whitespace()).map_or("", |(_, rest)| rest);
    let word = arguments.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    let is_keyword = matches!(word, "sizeof" | "if" | "var" | "unsigned" | "const" | "alignof");
    !arguments.is_empty() && !is_keyword && text.ends_with(|c: char| c.is_alphanumeric() || "_)]\"'".contains(c))
}

/// True if an argument begins or goes on at the end of this text: before it is none, or a comma.
pub(super) fn begins_argument(arguments: &str) -> bool {
    let word = arguments.rsplit(|c: char| c.is_whitespace() || c == ',').next().unwrap_or("");
    let before = arguments.strip_suffix(word).unwrap_or("").trim_end();
    before.is_empty() || before.ends_with(',')
}

/// True if the arguments of a command with a location have come to its condition.
pub(super) fn is_in_condition(entry: &Entry, arguments: &str) -> bool {
    entry.arguments == ArgumentKind::Location
        && arguments.split_whitespace().any(|word| word == "if")
        && !arguments.ends_with("if")
}

/// True if the name of a register or of a variable of the debugger is being typed.
pub fn is_register_begun(line: &str) -> bool {
    command_of(line).is_some_and(takes_names) && last_word(line).1.starts_with('$')
}

/// Returns the beginning of the type's name being typed, so that the caller can fetch names; it may be empty after
/// `struct` and its like.
pub fn type_begun(line: &str) -> Option<&str> {
    let (before, begun) = last_word(line);
    if before.ends_with(['.', '>']) {
        // A member. Its object says which there are; all types of all libraries would be read for nothing.
        return None;
    }
    let is_type = tag_before(before).is_some() || begun.len() > 1 && begun.starts_with(|c: char| !c.is_ascii_digit());
    (is_type && !begun.starts_with('$') && command_of(before).is_some_and(takes_names)).then_some(begun)
}

/// Returns the beginning of the path being typed, if the command takes a file.
pub fn file_begun(line: &str) -> Option<&str> {
    let begun = line.rsplit(char::is_whitespace).next()?;
    let takes_one = command_of(line).is_some_and(|entry| entry.arguments == ArgumentKind::File);
    // The first word is the command.
    (takes_one && line.trim_start().len() > begun.len()).then_some(begun)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::complete;
    use crate::state::{Lookup, ShownVariable};
    use model::{Datum, VariableValue};

    fn variable(name: &str, descriptor: &str) -> ShownVariable {
        let datum = Datum { descriptor: descriptor.to_owned(), data: vec![0; 4], type_name: String::new() };
        ShownVariable { name: name.to_owned(), value: VariableValue::Known(datum), changed: false, previous: None }
    }

    fn state() -> State {
        let mut state = State::default();
        state.inspection.locals =
            Lookup::Known(vec![variable("local_sum", "is4"), variable("hue", "<color|RED=0,BLUE=6>is4")]);
        state.inspection.arguments = Lookup::Known(vec![variable("location", "is4")]);
        state.inspection.names = Lookup::Known(vec!["loc1".to_owned(), "locked".to_owned(), "model::fib".to_owned()]);
        state.inspection.own_names = Lookup::Known(BTreeSet::from(["locked".to_owned()]));
        let types =
            ["struct cell;", "typedef struct {...} cell_t;", "enum color;", "union word;", "model::Field;", "char"];
        state.inspection.types = Lookup::Known(types.map(str::to_owned).to_vec());
        state
    }

    fn offered(line: &str) -> Vec<String> {
        complete(line, &state()).candidates
    }

    #[test]
    fn types_are_asked_for_where_one_may_stand() {
        assert_eq!(type_begun("print sizeof(ce"), Some("ce"));
        assert_eq!(type_begun("print local.ce"), None);
        assert_eq!(type_begun("print s->recv_counts"), None);
    }

    #[test]
    fn what_is_near_is_offered_first() {
        assert_eq!(offered("print loc"), ["local_sum", "location", "locked", "loc1"]);
        assert_eq!(offered("set var loc"), ["local_sum", "location", "locked", "loc1"]);
        assert_eq!(offered("break main if loc"), ["local_sum", "location", "locked", "loc1"]);
    }

    #[test]
    fn types_enumerators_and_variables_of_the_debugger_are_offered() {
        assert_eq!(offered("ptype struct "), ["cell", "model::Field"]);
        assert_eq!(offered("ptype union w"), ["word"]);
        assert_eq!(offered("ptype ce"), ["cell_t"]);
        assert_eq!(offered("ptype model::"), ["model::fib", "model::Field"]);
        assert_eq!(offered("print 1 + model::f"), ["model::fib"]);
        assert_eq!(offered("print hue == R"), ["RED"]);
        assert!(offered("p $").contains(&"$_siginfo".to_owned()));
        assert_eq!(offered("p $bp"), ["$bpnum"]);
    }

    #[test]
    fn nothing_is_offered_where_no_name_can_follow() {
        for line in ["print location ", "break main ", "b ring.c:12 ", "print loca location "] {
            assert_eq!(offered(line), [""; 0], "{line}");
        }
        assert_eq!(offered("print local_sum + ").len(), 8, "after an operator");
    }

    #[test]
    fn files_are_completed_for_commands_that_take_them() {
        for (line, begun) in [
            ("source c", Some("c")),
            ("source ", Some("")),
            ("source", None),
            ("print c", None),
            ("dump binary memory /tmp/x", Some("/tmp/x")),
        ] {
            assert_eq!(file_begun(line), begun, "{line}");
        }
    }
}
