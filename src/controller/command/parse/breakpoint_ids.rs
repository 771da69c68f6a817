//! Numbers of breakpoints in commands.

use super::number;
use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use model::BreakpointId;

pub(super) const NUMBER: &str = "a breakpoint number";

pub(super) fn id(arguments: &Arguments<'_>, word: &Word) -> Result<BreakpointId, LineError> {
    if word.text == "$bpnum" {
        return Ok(BreakpointId::LATEST);
    }
    if let Some((point, _)) = word.text.split_once('.')
        && let Ok(point) = point.parse::<u32>()
    {
        let why = format!(
            "the places of a breakpoint cannot be enabled or disabled one by one: \"delete {point}\" and set one at the place, \
             such as FILE:LINE, or put the ranks in front, [0-3] disable {point}"
        );
        return Err(arguments.fault(word.at, why));
    }
    Ok(BreakpointId(number(arguments, word, NUMBER)?))
}

/// The most breakpoints that a range may name.
const MOST: u32 = 10_000;

pub(super) fn ids(arguments: &mut Arguments<'_>) -> Result<Vec<BreakpointId>, LineError> {
    let mut ids = Vec::new();
    let mut first = true;
    while let Some(word) = arguments.word()? {
        // gdb's "delete breakpoints 3".
        if std::mem::take(&mut first) && word.text == "breakpoints" {
            continue;
        }
        let range = word.text.split_once('-').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let named: Vec<BreakpointId> = match range {
            Some((low, high)) if 0 < low && low <= high && high - low < MOST => {
                (low..=high).map(BreakpointId).collect()
            }
            _ => vec![id(arguments, &word)?],
        };
        for id in named {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    Ok(ids)
}
