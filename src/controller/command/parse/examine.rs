//! Arguments of `x`, and of `display`, which shows memory as it does.

use super::print_value::letter;
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, DataCommand, Examined, Form};
use crate::state::{Displayed, Shown};
use model::aif::FormatLetter;

pub(in crate::command) fn examine(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let examined = examined(arguments)?;
    let address = Some(arguments.take_rest().to_owned()).filter(|text| !text.is_empty());
    Ok(DataCommand::Examine(examined, address).into())
}

pub(in crate::command) fn memory(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Memory(arguments.required_rest("an address")?.to_owned()).into())
}

/// As in gdb: a size, `s` or `i` makes it a display of memory.
pub(in crate::command) fn display(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let examined = examined(arguments)?;
    if examined.back
        && let Some((_, at)) = arguments.format
    {
        return Err(arguments.fault(at, "display does not take a negative count"));
    }
    let text = arguments.take_rest().trim();
    let here = text.strip_prefix("-here").filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    let (expression, is_here) = here.map_or((text, false), |rest| (rest.trim_start(), true));
    if is_here && expression.is_empty() {
        return Err(arguments.fault(arguments.place(), "expected an expression"));
    }
    if expression.is_empty() {
        return match arguments.format {
            Some((_, at)) => Err(arguments.fault(at, "expected an expression")),
            None => Ok(DataCommand::Display(None).into()),
        };
    }
    let form = examined.form.unwrap_or(Form::Values(FormatLetter::Hexadecimal));
    let is_memory = matches!(form, Form::Instructions | Form::Values(FormatLetter::String));
    let shown = match (examined.form, examined.unit) {
        (Some(Form::Values(letter)), None) if !is_memory => Shown::Value(Some(letter)),
        (None, None) => Shown::Value(None),
        (_, unit) => Shown::Memory {
            count: examined.count.unwrap_or(1),
            unit: unit.unwrap_or(if is_memory { 1 } else { 4 }),
            form,
        },
    };
    let displayed = Displayed { expression: expression.to_owned(), shown, place: None };
    Ok(DataCommand::Display(Some((displayed, is_here))).into())
}

/// Parses the text after the slash.
fn examined(arguments: &Arguments<'_>) -> Result<Examined, LineError> {
    let mut examined = Examined { count: None, unit: None, form: None, back: false };
    if let Some((given, place)) = arguments.format {
        examined.back = given.starts_with('-');
        let (text, at) = given.strip_prefix('-').map_or((given, place), |text| (text, place + 1));
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        if digits > 0 {
            examined.count = match text.get(..digits).unwrap_or("").parse() {
                Ok(n) if (1..=65_536).contains(&n) => Some(n),
                _ => return Err(arguments.fault(at, "expected a count from 1 to 65536")),
            };
        }
        examined.count = examined.count.or(Some(1));
        for (i, c) in text.char_indices().skip(digits) {
            match c {
                'b' => examined.unit = Some(1),
                'h' => examined.unit = Some(2),
                'w' => examined.unit = Some(4),
                'g' => examined.unit = Some(8),
                'i' => examined.form = Some(Form::Instructions),
                _ => examined.form = Some(Form::Values(letter(arguments, c, at + i)?)),
            }
        }
        if examined.back && examined.form == Some(Form::Values(FormatLetter::String)) {
            return Err(arguments.fault(place, "x cannot go back over strings"));
        }
        let float = examined.form == Some(Form::Values(FormatLetter::Float));
        if float && examined.unit.is_some_and(|unit| unit < 4) {
            return Err(arguments.fault(at, "format f needs size w (4 bytes) or g (8)"));
        }
        let string = examined.form == Some(Form::Values(FormatLetter::String));
        if string && examined.unit == Some(8) {
            return Err(arguments.fault(at, "format s needs character size b (1 byte), h (2) or w (4)"));
        }
    }
    Ok(examined)
}
