//! The arguments of commands that the user defined: `$argc`, `$arg0` …

use super::tree::{Block, BlockKind, PlacedLine, Statement};
use crate::command::line::LONGEST;
use std::sync::Arc;

/// Arguments that cannot be put into the lines of a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// A line uses an argument that the call does not give.
    #[error("missing argument {}: a line uses $arg{number}", number + 1)]
    Missing {
        /// The argument, from 0.
        number: usize,
    },
    /// A line would be too long.
    #[error("with its arguments, a line is longer than {} characters", LONGEST)]
    TooLong,
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

/// Puts the arguments of a call into the lines of the command.
pub fn with_arguments(body: &[Statement], arguments: &[String]) -> Result<Vec<Statement>, ArgumentError> {
    let line =
        |line: &PlacedLine| Ok(PlacedLine { text: substituted(&line.text, arguments)?, place: line.place.clone() });
    let one = |statement: &Statement| match statement {
        Statement::Line(one) => Ok(Statement::Line(line(one)?)),
        Statement::Block(block) if block.kind == BlockKind::Document => Ok(statement.clone()),
        Statement::Block(block) => Ok(Statement::Block(Arc::new(Block {
            kind: block.kind,
            head: line(&block.head)?,
            body: with_arguments(&block.body, arguments)?,
            otherwise: block.otherwise.as_deref().map(|lines| with_arguments(lines, arguments)).transpose()?,
        }))),
    };
    body.iter().map(one).collect()
}

fn substituted(text: &str, arguments: &[String]) -> Result<String, ArgumentError> {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("$arg") {
        let (before, found) = rest.split_at(at);
        done.push_str(before);
        let after = found.get("$arg".len()..).unwrap_or("");
        let length = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
        let (name, following) = after.split_at(length);
        match name.parse::<usize>() {
            _ if name == "c" => done.push_str(&arguments.len().to_string()),
            Ok(number) => done.push_str(arguments.get(number).ok_or(ArgumentError::Missing { number })?),
            Err(_) => {
                done.push_str("$arg");
                done.push_str(name);
            }
        }
        rest = following;
        if done.len() > LONGEST {
            return Err(ArgumentError::TooLong);
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
        let error = with_arguments(&body, &["p".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "missing argument 2: a line uses $arg1");
        let long = parse_script(&"$arg0 ".repeat(100), None).unwrap();
        assert_eq!(with_arguments(&long, &["x".repeat(1000)]), Err(ArgumentError::TooLong));
    }
}
