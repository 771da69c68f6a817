//! Arguments of `print`: the format and the options.

use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use crate::command::variables::on_off;
use crate::command::{Command, DataCommand, PrintForm};
use model::aif::FormatLetter;
use model::{PrintChanges, PrintSwitch};

pub(super) fn letter(arguments: &Arguments<'_>, c: char, at: usize) -> Result<FormatLetter, LineError> {
    FormatLetter::of_letter(c).ok_or_else(|| {
        let message = match c {
            'i' => "format i is not for print: use x/i or disassemble".to_owned(),
            _ => format!("unknown format {c:?}: expected x, z, d, u, o, t, c, a, f or s"),
        };
        arguments.fault(at, message)
    })
}

pub(in crate::command) fn print(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut form = PrintForm::default();
    if let Some((text, at)) = arguments.format {
        if text.is_empty() {
            return Err(arguments.fault(at, "expected a format letter after \"/\""));
        }
        for (offset, c) in text.char_indices() {
            if c == 'r' {
                form.changes.switch(PrintSwitch::RawValues, true);
                continue;
            }
            let found = letter(arguments, c, at + offset)?;
            if form.letter.replace(found).is_some() {
                return Err(arguments.fault_within(at, offset, "expected one format letter, and optionally r"));
            }
        }
    }
    options(arguments, &mut form.changes)?;
    // Alone it shows the last value of the history again.
    let expression = if arguments.rest().is_empty() { "$" } else { arguments.take_rest() };
    Ok(DataCommand::Print(form, expression.to_owned()).into())
}

/// An option of `print`.
#[derive(Clone, Copy)]
enum PrintOption {
    Elements,
    Repeats,
    MaxDepth,
    Switch(PrintSwitch),
}

/// The options with a number.
const NUMBERS: [(&str, PrintOption); 3] =
    [("elements", PrintOption::Elements), ("max-depth", PrintOption::MaxDepth), ("repeats", PrintOption::Repeats)];

/// The options with these first letters.
fn fitting(begun: &str) -> Vec<(&'static str, PrintOption)> {
    let switches = PrintSwitch::ALL.iter().map(|(name, switch, _)| (*name, PrintOption::Switch(*switch)));
    let all = NUMBERS.into_iter().chain(switches);
    let mut found: Vec<_> = all.filter(|(name, _)| name.starts_with(begun)).collect();
    if let Some(whole) = found.iter().find(|(name, _)| *name == begun) {
        found = vec![*whole];
    }
    found
}

/// Takes gdb's options, up to `--` or the first other word: an expression may begin with `-`, too.
fn options(arguments: &mut Arguments<'_>, changes: &mut PrintChanges) -> Result<(), LineError> {
    // An expression has no `--` between blanks.
    let is_delimited = arguments.rest().split_whitespace().any(|word| word == "--");
    loop {
        let before = *arguments;
        let Some(word) = arguments.word()?.filter(|word| word.text.starts_with('-')) else {
            *arguments = before;
            return Ok(());
        };
        if word.text == "--" {
            return Ok(());
        }
        let begun = word.text.trim_start_matches('-');
        // Fewer letters may be a variable.
        let is_option = is_delimited || begun.len() >= 3;
        match *fitting(begun) {
            [(_, option)] if is_option => take(arguments, option, changes, is_delimited)?,
            ref found if is_delimited => return Err(arguments.fault(word.at, unknown(&word, found))),
            _ => {
                *arguments = before;
                return Ok(());
            }
        }
    }
}

fn unknown(word: &Word, fitting: &[(&str, PrintOption)]) -> String {
    let names = |options: &[(&str, PrintOption)]| {
        options.iter().map(|(name, _)| format!("-{name}")).collect::<Vec<_>>().join(", ")
    };
    if fitting.is_empty() {
        return format!("unknown option {:?}: print takes {}", word.text, names(&self::fitting("")));
    }
    format!("{:?} is ambiguous: {}", word.text, names(fitting))
}

/// Takes the value of an option.
fn take(
    arguments: &mut Arguments<'_>,
    option: PrintOption,
    changes: &mut PrintChanges,
    is_delimited: bool,
) -> Result<(), LineError> {
    let number = match option {
        PrintOption::Switch(switch) => {
            changes.switch(switch, state(arguments, is_delimited)?);
            return Ok(());
        }
        PrintOption::Elements => &mut changes.elements,
        PrintOption::Repeats => &mut changes.repeats,
        PrintOption::MaxDepth => &mut changes.max_depth,
    };
    let none = if matches!(option, PrintOption::MaxDepth) { "-1" } else { "0" };
    let limit = arguments.required("a number or unlimited")?;
    *number = Some(match limit.text.as_str() {
        "unlimited" => u32::MAX,
        word if word == none => u32::MAX,
        digits => digits.parse().map_err(|_| arguments.fault(limit.at, "expected a number or unlimited"))?,
    });
    Ok(())
}

/// Takes the state of a switch; without one it is on.
fn state(arguments: &mut Arguments<'_>, is_delimited: bool) -> Result<bool, LineError> {
    let before = *arguments;
    let Some(word) = arguments.word()?.filter(|word| !word.text.starts_with('-')) else {
        *arguments = before;
        return Ok(true);
    };
    // The last word of the line is the expression.
    match on_off(&word.text).filter(|_| !arguments.rest().is_empty()) {
        Some(on) => Ok(on),
        None if is_delimited => {
            let message = format!("expected on or off, not {:?}", word.text);
            Err(arguments.fault(word.at, message))
        }
        None => {
            *arguments = before;
            Ok(true)
        }
    }
}
