//! View 4 in its other modes: registers and loaded files, as rows.

use super::variable_row::Row;
use crate::values::Piece;
use crate::words::base_name;
use controller::State;
use model::Datum;
use model::aif::{AifType, FormatLetter, FormatOptions, format};

/// The registers of the frame: integers in hexadecimal with the natural format beside it, as gdb does.
pub(crate) fn registers(state: &State) -> Vec<Row> {
    let shown = state.inspection.registers.value().into_iter().flatten();
    shown
        .map(|register| {
            let natural = Piece::of(&register.value).text(state.variables.print_options());
            let hexadecimal = hexadecimal(&register.value);
            let beside = if hexadecimal.is_some() { natural.clone() } else { String::new() };
            Row {
                path: format!("${}", register.name),
                value: Ok(hexadecimal.unwrap_or(natural)),
                type_words: beside,
                changed: register.changed,
                ..Row::leaf(&register.name)
            }
        })
        .collect()
}

fn hexadecimal(datum: &Datum) -> Option<String> {
    let (ty, _) = datum.parsed().ok()?;
    if !matches!(ty, AifType::Integer { .. }) {
        return None;
    }
    let bare = Datum { type_name: String::new(), ..datum.clone() };
    format(&bare, &FormatOptions { letter: Some(FormatLetter::Hexadecimal), ..FormatOptions::default() }).ok()
}

/// The files that the lead rank has loaded.
pub(crate) fn libraries(state: &State) -> Vec<Row> {
    let shown = state.inspection.libraries.value().into_iter().flatten();
    shown
        .map(|library| Row {
            path: library.path.clone(),
            value: Ok(library.address.map_or_else(String::new, |address| address.to_string())),
            type_words: (if library.debug_information { "lines" } else { "symbols" }).to_owned(),
            ..Row::leaf(base_name(&library.path))
        })
        .collect()
}
