//! Arguments of `x`.

use super::data::letter;
use crate::controller::command::arguments::Arguments;
use crate::controller::command::line::LineError;
use crate::controller::command::{Command, Examined, Form};
use crate::model::aif::FormatLetter;

pub(in crate::controller::command) fn examine(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut examined = Examined { count: 1, unit: None, form: None };
    if let Some((text, at)) = arguments.format {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        if digits > 0 {
            examined.count = match text.get(..digits).unwrap_or("").parse() {
                Ok(n) if (1..=65_536).contains(&n) => n,
                _ => return Err(arguments.fault(at, "the number of units is from 1 to 65536")),
            };
        }
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
        let float = examined.form == Some(Form::Values(FormatLetter::Float));
        if float && examined.unit.is_some_and(|unit| unit < 4) {
            return Err(arguments.fault(at, "a float has 4 bytes (w) or 8 (g)"));
        }
        let string = examined.form == Some(Form::Values(FormatLetter::String));
        if string && examined.unit == Some(8) {
            return Err(arguments.fault(at, "a character of a string has 1 byte (b), 2 (h) or 4 (w)"));
        }
    }
    let address = Some(arguments.take_rest().to_owned()).filter(|text| !text.is_empty());
    Ok(Command::Examine(examined, address))
}
