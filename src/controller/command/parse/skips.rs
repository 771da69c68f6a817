//! Arguments of `skip` and `info skip`.

use super::breakpoint_ids::ids;
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{BreakpointCommand, Command, SkipCommand};
use model::{RegularExpression, Skipped, SkippedFiles};

pub(in crate::command) fn list(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(BreakpointCommand::Skip(SkipCommand::List(numbers(arguments)?)).into())
}

pub(in crate::command) fn skip(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let before = *arguments;
    let first = arguments.word()?.map(|word| word.text);
    let command = match first.as_deref() {
        None => SkipCommand::Function,
        Some("delete") => SkipCommand::Delete(numbers(arguments)?),
        Some("enable") => SkipCommand::Enable(numbers(arguments)?, true),
        Some("disable") => SkipCommand::Enable(numbers(arguments)?, false),
        Some("function") => named(arguments, SkipCommand::Function, of_function),
        Some("file") => named(arguments, SkipCommand::File, of_file),
        Some(word) if word.starts_with('-') => {
            *arguments = before;
            SkipCommand::Add(options(arguments)?)
        }
        Some(_) => {
            *arguments = before;
            named(arguments, SkipCommand::Function, of_function)
        }
    };
    Ok(BreakpointCommand::Skip(command).into())
}

fn of_function(name: String) -> Skipped {
    Skipped { function: Some(name), ..Skipped::default() }
}

fn of_file(name: String) -> Skipped {
    Skipped { file: Some(SkippedFiles::Named(name)), ..Skipped::default() }
}

/// Takes a name, which may contain blanks; without one it is that of the shown frame.
fn named(arguments: &mut Arguments<'_>, shown: SkipCommand, of: fn(String) -> Skipped) -> SkipCommand {
    match arguments.take_rest().trim_matches('"') {
        "" => shown,
        name => SkipCommand::Add(of(name.to_owned())),
    }
}

/// An option of `skip`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SkipOption {
    File,
    FileGlob,
    Function,
    FunctionPattern,
}

/// Parses gdb's options, whose names may be abbreviated as gdb's are.
fn options(arguments: &mut Arguments<'_>) -> Result<Skipped, LineError> {
    let mut skipped = Skipped::default();
    while let Some(word) = arguments.word()? {
        let option = match word.text.as_str() {
            "-fi" | "-file" => SkipOption::File,
            "-gfi" | "-gfile" => SkipOption::FileGlob,
            "-fu" | "-function" => SkipOption::Function,
            "-rfu" | "-rfunction" => SkipOption::FunctionPattern,
            other => {
                let message = format!("expected -function, -rfunction, -file or -gfile, not {other:?}");
                return Err(arguments.fault(word.at, message));
            }
        };
        let is_file = matches!(option, SkipOption::File | SkipOption::FileGlob);
        let value = arguments.required(if is_file { "a file" } else { "a function" })?;
        let has_function = skipped.function.is_some() || skipped.function_pattern.is_some();
        let is_twice = if is_file { skipped.file.is_some() } else { has_function };
        if is_twice {
            return Err(arguments.fault(word.at, "expected one file and one function"));
        }
        match option {
            SkipOption::FileGlob => skipped.file = Some(SkippedFiles::Glob(value.text)),
            SkipOption::File => skipped.file = Some(SkippedFiles::Named(value.text)),
            SkipOption::Function => skipped.function = Some(value.text),
            SkipOption::FunctionPattern => {
                RegularExpression::parse_extended(&value.text)
                    .map_err(|error| arguments.fault_within(value.at, error.position, error.to_string()))?;
                skipped.function_pattern = Some(value.text);
            }
        }
    }
    Ok(skipped)
}

fn numbers(arguments: &mut Arguments<'_>) -> Result<Vec<u32>, LineError> {
    Ok(ids(arguments)?.into_iter().map(|id| id.0).collect())
}
