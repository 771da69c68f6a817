//! The arguments of commands that the user defined: `$argc`, `$arg0` …

use super::tree::{Block, PlacedLine, Statement};
use crate::command::line::LONGEST;
use std::sync::Arc;

/// A line that would be too long.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("with its arguments, a line is longer than {} characters", LONGEST)]
pub struct LineTooLong;

/// An argument that a line uses and the call does not give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("missing argument {}: the line uses $arg{number}", number + 1)]
pub struct MissingArgument {
    /// The argument, from 0.
    number: usize,
}

/// Splits the arguments of a call at blanks outside quotes, as gdb does; quotes stay.
pub fn arguments_of(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current = String::new();
    let (mut quote, mut escaped) = (None, false);
    for c in text.chars() {
        match quote {
            None if c.is_whitespace() => {
                if !current.is_empty() {
                    arguments.push(std::mem::take(&mut current));
                }
                continue;
            }
            None if c == '"' || c == '\'' => quote = Some(c),
            Some(open) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        current.push(c);
    }
    if !current.is_empty() {
        arguments.push(current);
    }
    arguments
}

/// Returns an error for a line in which an argument is left: the call does not give it. As in gdb, a line that does not
/// run may use more arguments than are given.
pub fn has_all_arguments(line: &str) -> Result<(), MissingArgument> {
    for (_, after) in line.match_indices("$arg").map(|(at, found)| line.split_at(at + found.len())) {
        let length = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
        if let Some(Ok(number)) = after.get(..length).map(str::parse) {
            return Err(MissingArgument { number });
        }
    }
    Ok(())
}

/// Puts the arguments of a call into the lines of the command. Those that it does not give are left.
pub fn with_arguments(body: &[Statement], arguments: &[String]) -> Result<Vec<Statement>, LineTooLong> {
    let line =
        |line: &PlacedLine| Ok(PlacedLine { text: substituted(&line.text, arguments)?, place: line.place.clone() });
    let one = |statement: &Statement| match statement {
        Statement::Line(one) => Ok(Statement::Line(line(one)?)),
        Statement::Block(block) if block.kind.keeps_arguments() => Ok(statement.clone()),
        Statement::Block(block) => Ok(Statement::Block(Arc::new(Block {
            kind: block.kind,
            head: line(&block.head)?,
            body: with_arguments(&block.body, arguments)?,
            otherwise: block.otherwise.as_deref().map(|lines| with_arguments(lines, arguments)).transpose()?,
        }))),
    };
    body.iter().map(one).collect()
}

fn substituted(text: &str, arguments: &[String]) -> Result<String, LineTooLong> {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("$arg") {
        let (before, found) = rest.split_at(at);
        done.push_str(before);
        let after = found.get("$arg".len()..).unwrap_or("");
        let length = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
        let (name, following) = after.split_at(length);
        match name.parse::<usize>().ok().and_then(|number| arguments.get(number)) {
            _ if name == "c" => done.push_str(&arguments.len().to_string()),
            Some(argument) => done.push_str(argument),
            None => {
                done.push_str("$arg");
                done.push_str(name);
            }
        }
        rest = following;
        if done.len() > LONGEST {
            return Err(LineTooLong);
        }
    }
    done.push_str(rest);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_script;

    #[test]
    fn arguments_are_words_and_quoted_texts() {
        assert_eq!(arguments_of("a->b  \"two words\" '\\''"), ["a->b", "\"two words\"", "'\\''"]);
        assert!(arguments_of("  ").is_empty());
    }

    #[test]
    fn lines_get_the_arguments_of_the_call() {
        let body = parse_script("if $argc == 2\nprintf \"%d\\n\", $arg0->n + $arg1.n + $args\nend\n", None).unwrap();
        let given = with_arguments(&body, &["p".to_owned(), "q[3]".to_owned()]).unwrap();
        assert_eq!(given[0].to_string(), "if 2 == 2\n  printf \"%d\\n\", p->n + q[3].n + $args\nend\n");
        let short = with_arguments(&body, &["p".to_owned()]).unwrap();
        let line = short[0].block().unwrap().body[0].to_string();
        assert_eq!(has_all_arguments(&line).unwrap_err().to_string(), "missing argument 2: the line uses $arg1");
        assert_eq!(has_all_arguments(&given[0].to_string()), Ok(()));
        let long = parse_script(&"$arg0 ".repeat(100), None).unwrap();
        assert_eq!(with_arguments(&long, &["x".repeat(1000)]), Err(LineTooLong));
    }
}
