//! Arguments of `layout`.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, LayoutOrder, RankLayout, SetCommand};

pub(in crate::command) fn layout(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(SetCommand::Layout(None).into()) };
    let layout = match word.text.as_str() {
        "cart" => LayoutOrder::OfCall,
        text => LayoutOrder::To(RankLayout::of_word(text).map_err(|why| arguments.fault(word.at, why))?),
    };
    Ok(SetCommand::Layout(Some(layout)).into())
}
