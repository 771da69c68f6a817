//! Arguments of `colour`.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Colouring, Command, SetCommand};

pub(in crate::command) fn colour(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(SetCommand::Colour(Colouring::Show).into()) };
    if word.text == "none" {
        arguments.end()?;
        return Ok(SetCommand::Colour(Colouring::Plain).into());
    }
    if word.text != "by" {
        return Err(arguments.fault(word.at, "expected by EXPRESSION, or by none"));
    }
    let colouring = match arguments.required_rest("an expression, or none")? {
        "none" => Colouring::Plain,
        expression => Colouring::By(expression.to_owned()),
    };
    Ok(SetCommand::Colour(colouring).into())
}
