//! Errors of gdb, and our error codes for its messages.

use expr::Expression;
use expr::lang::c::macros::with_advice;
use model::{ErrorCode, Failure};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::gdb) enum GdbError {
    /// gdb rejected it; holds gdb's message.
    #[error("{0}")]
    Refused(String),
    /// gdb has ended or is unusable; holds the reason.
    #[error("{0}")]
    Gone(String),
}

/// Parts of gdb's messages that are the same in every version, and their error codes.
const SENTENCES: &[(&str, ErrorCode)] = &[
    ("Cannot access memory", ErrorCode::MEMORY),
    ("Unable to read memory", ErrorCode::MEMORY),
    ("Could not write memory", ErrorCode::MEMORY),
    ("No struct type named", ErrorCode::UNKNOWN_TYPE),
    ("No union type named", ErrorCode::UNKNOWN_TYPE),
    ("No enum type named", ErrorCode::UNKNOWN_TYPE),
    ("No symbol table is loaded", ErrorCode::NO_DEBUG_SYMBOLS),
    ("No symbol ", ErrorCode::UNKNOWN_VARIABLE),
    ("Invalid register", ErrorCode::NO_SYMBOL),
    ("Function \"", ErrorCode::NO_FUNCTION),
    ("No function ", ErrorCode::NO_FUNCTION),
    ("No source file named", ErrorCode::NO_SOURCE),
    ("No line ", ErrorCode::NO_LINE),
    ("No stack", ErrorCode::NO_STACK),
    ("Invalid thread id", ErrorCode::NO_THREAD),
    ("Unknown thread", ErrorCode::NO_THREAD),
    ("The program has no registers now", ErrorCode::NOT_RUN),
    ("The program is not being run", ErrorCode::NOT_RUN),
    ("No such process", ErrorCode::NOT_RUN),
    ("while the selected thread is running", ErrorCode::RUNNING),
    ("while the target is running", ErrorCode::RUNNING),
    ("while in a function called from GDB", ErrorCode::STOPPED_IN_CALL),
    ("not in executable format", ErrorCode::NOT_EXECUTABLE),
    ("No such file or directory", ErrorCode::NO_FILE),
];

/// Converts gdb's message to a failure.
pub(in crate::gdb) fn failure(message: &str) -> Failure {
    let known = SENTENCES.iter().find(|(part, _)| message.contains(part));
    Failure::new(known.map_or(ErrorCode::DEBUGGER, |(_, code)| *code), message)
}

/// Like [`failure`], for an expression: gdb gives the position by the unparsed rest, ``near `+ 1'``. If there is no
/// rest, gdb 15 and newer give the part before: ``near the end of `n +'``.
pub(in crate::gdb) fn failure_in(expression: &str, message: &str) -> Failure {
    if message.contains("near the end of `") {
        return Failure { position: Some(expression.chars().count() as u32), ..failure(message) };
    }
    let left = message.split_once("near `").and_then(|(_, rest)| Some(rest.rsplit_once('\'')?.0));
    let before = left.and_then(|left| expression.trim_end().strip_suffix(left.trim_end()));
    let position = match before {
        Some(before) if left.is_some_and(|left| !left.trim().is_empty()) => Some(before.chars().count() as u32),
        Some(_) => Some(expression.chars().count() as u32),
        // gdb gives no position here; our own parser of C does.
        None if message.contains("Junk") => Expression::parse(expression).err().and_then(|error| error.position),
        None => None,
    };
    Failure { position, ..failure(message) }
}

/// Converts gdb's error about an unknown name in an expression; `None` for any other message.
pub(in crate::gdb) fn unknown_name_in(expression: &str, message: &str) -> Option<Failure> {
    let (name, _) = message.strip_prefix("No symbol \"")?.split_once("\" in current context")?;
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |at: &usize| {
        let before = expression.get(..*at).unwrap_or_default().ends_with(in_name);
        !before && !expression.get(*at + name.len()..).unwrap_or_default().starts_with(in_name)
    };
    let at = expression.match_indices(name).map(|(at, _)| at).find(whole)?;
    let position = expression.get(..at)?.chars().count() as u32;
    Some(Failure { position: Some(position), ..failure(&with_advice(message.to_owned(), name)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_marked() {
        let message = "No symbol \"b\" in current context.";
        assert_eq!(unknown_name_in("ab + b", message).and_then(|failure| failure.position), Some(5));
        assert_eq!(unknown_name_in("ab + c", message), None);
        assert_eq!(unknown_name_in("b", "No symbol table is loaded.  Use the \"file\" command."), None);
    }

    #[test]
    fn sentences_have_their_codes() {
        for (sentence, code) in [
            ("No symbol \"nonesuch\" in current context.", ErrorCode::UNKNOWN_VARIABLE),
            ("Cannot access memory at address 0x8", ErrorCode::MEMORY),
            ("Function \"f\" not defined.", ErrorCode::NO_FUNCTION),
            ("No symbol table is loaded.  Use the \"file\" command.", ErrorCode::NO_DEBUG_SYMBOLS),
            ("\"finish\" not meaningful in the outermost frame.", ErrorCode::DEBUGGER),
        ] {
            assert_eq!(failure(sentence).code, code, "{sentence}");
        }
    }

    #[test]
    fn positions_come_from_what_was_left() {
        for (expression, left, position) in
            [("n +", "", 3), ("n ) 2", ") 2", 2), ("é @@ 2", "@ 2", 3), ("n + * ", "", 6)]
        {
            let message = format!("A syntax error in expression, near `{left}'.");
            assert_eq!(failure_in(expression, &message).position, Some(position), "{expression}");
        }
        let newer = "A syntax error in expression, near the end of `é +'.";
        assert_eq!(failure_in("é + ", newer).position, Some(4));
        assert_eq!(failure_in("a", "No symbol \"a\" in current context.").position, None);
    }
}
