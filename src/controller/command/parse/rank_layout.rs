//! Arguments of `layout`.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, LayoutOrder, RankLayout, SetCommand};
use model::CartesianGrid;

pub(in crate::command) fn layout(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(SetCommand::Layout(None).into()) };
    let layout = match word.text.as_str() {
        "none" => LayoutOrder::To(RankLayout::Plain),
        "cart" => LayoutOrder::OfCall,
        "hosts" | "host" => LayoutOrder::To(RankLayout::Hosts),
        text => {
            let grid = CartesianGrid::parse(text);
            let grid = grid.map_err(|why| arguments.fault(word.at, format!("{why}; or hosts, cart or none")))?;
            LayoutOrder::To(RankLayout::Grid(grid))
        }
    };
    Ok(SetCommand::Layout(Some(layout)).into())
}
