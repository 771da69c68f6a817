//! The rows of the code: functions, source lines and instructions.

use controller::State;
use controller::state::Lookup;
use model::{Instruction, VirtualAddress};

/// A row of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CodeRow<'a> {
    /// The name of the function that the following instructions are in.
    Function(&'a str),
    /// The line that they were compiled from, and its text if that is known.
    Line(String, &'a str),
    Instruction(&'a Instruction),
}

/// Returns the rows of the page that is known.
pub(crate) fn rows(state: &State) -> Vec<CodeRow<'_>> {
    let mut rows = Vec::new();
    let mut before: Option<&Instruction> = None;
    for instruction in state.inspection.code.page.value().into_iter().flatten() {
        let name = |of: &'_ Instruction| of.function.as_ref().map(|(name, _)| name.clone());
        let new_function = before.is_none_or(|before| name(before) != name(instruction));
        if new_function && let Some((name, _)) = &instruction.function {
            rows.push(CodeRow::Function(name));
        }
        let new_line = new_function || before.is_some_and(|before| before.source != instruction.source);
        if new_line && let Some(place) = &instruction.source {
            let text = match state.inspection.sources.get(&place.file) {
                Some(Lookup::Known(text)) => text.line(place.line).unwrap_or(""),
                _ => "",
            };
            let file = crate::words::base_name(&place.file);
            rows.push(CodeRow::Line(format!("{file}:{}", place.line), text.trim()));
        }
        rows.push(CodeRow::Instruction(instruction));
        before = Some(instruction);
    }
    rows
}

/// The number of rows.
pub(crate) fn len(state: &State) -> usize {
    rows(state).len()
}

/// The first instruction at a row or below it.
pub(crate) fn instruction_at<'a>(rows: &[CodeRow<'a>], row: usize) -> Option<&'a Instruction> {
    rows.iter().skip(row).find_map(|row| match row {
        CodeRow::Instruction(instruction) => Some(*instruction),
        CodeRow::Function(_) | CodeRow::Line(..) => None,
    })
}

/// The row of the instruction at an address.
pub(crate) fn row_of(rows: &[CodeRow<'_>], address: VirtualAddress) -> Option<usize> {
    rows.iter().position(|row| matches!(row, CodeRow::Instruction(found) if found.code.address == Some(address)))
}

/// The row of the instruction that the selected frame is at.
pub(crate) fn current_row(rows: &[CodeRow<'_>]) -> Option<usize> {
    rows.iter().position(|row| matches!(row, CodeRow::Instruction(found) if found.current))
}
