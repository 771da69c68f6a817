//! Variables and registers as text lines.

use super::text_words::{frame_mark, of, place, prefixed};
use super::{FullFrame, PrintedRegister, PrintedVariable, Scope};
use model::ProcessSet;
use std::collections::HashMap;

/// Returns a line for each distinct value of a variable, variables in the order of the first list.
pub(super) fn variables(scope: Scope, lists: &[(ProcessSet, Vec<PrintedVariable>)]) -> Vec<String> {
    let mut rows: Vec<(&str, Vec<(ProcessSet, &str)>)> = Vec::new();
    let mut places: HashMap<(&str, usize), usize> = HashMap::new();
    let mut lines = Vec::new();
    for (ranks, list) in lists {
        if list.is_empty() {
            let what = match scope {
                Scope::Locals => "no locals",
                Scope::Arguments => "no arguments",
                Scope::Globals => "no such globals",
                Scope::ThreadLocals => "no such thread-local variables",
            };
            lines.push(of(ranks, what));
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for variable in list {
            // Inner blocks may have variables of the same name: the nth of one rank corresponds to the nth of another.
            let nth = seen.entry(&variable.name).and_modify(|n| *n += 1).or_insert(0);
            let place = *places.entry((&variable.name, *nth)).or_insert_with(|| {
                rows.push((&variable.name, Vec::new()));
                rows.len() - 1
            });
            let Some((_, values)) = rows.get_mut(place) else { continue };
            match values.iter_mut().find(|(_, text)| *text == variable.text) {
                Some((known, _)) => known.extend_with(ranks),
                None => values.push((ranks.clone(), &variable.text)),
            }
        }
    }
    for (name, values) in rows {
        lines.extend(values.iter().flat_map(|(ranks, text)| prefixed(ranks, &format!("{name} = {text}"))));
    }
    lines
}

/// Formats as gdb's `info registers`: name, bits, meaning; one line for each distinct content.
pub(super) fn registers(lists: &[(ProcessSet, Vec<PrintedRegister>)]) -> Vec<String> {
    let mut rows: Vec<(&str, Vec<(ProcessSet, String)>)> = Vec::new();
    for (ranks, list) in lists {
        if list.is_empty() {
            rows.push(("", vec![(ranks.clone(), "no registers".to_owned())]));
        }
        for register in list {
            let name = register.variable.name.as_str();
            let line = register_line(register);
            let Some((_, lines)) = rows.iter_mut().find(|(known, _)| *known == name) else {
                rows.push((name, vec![(ranks.clone(), line)]));
                continue;
            };
            match lines.iter_mut().find(|(_, known)| *known == line) {
                Some((known, _)) => known.extend_with(ranks),
                None => lines.push((ranks.clone(), line)),
            }
        }
    }
    rows.into_iter().flat_map(|(_, lines)| lines).map(|(ranks, line)| of(&ranks, line)).collect()
}

fn register_line(register: &PrintedRegister) -> String {
    let PrintedRegister { variable, raw, natural } = register;
    if raw.starts_with('{') {
        return format!("{:<14} {raw}", variable.name);
    }
    format!("{:<14} {raw:<18} {natural}", variable.name)
}

/// Formats a frame with its arguments, as gdb does, and its local variables below.
pub(super) fn full_frame(ranks: &ProcessSet, full: &FullFrame) -> Vec<String> {
    let FullFrame { frame, arguments, locals } = full;
    let arguments = match arguments {
        Ok(list) => list.iter().map(|v| format!("{}={}", v.name, v.text)).collect::<Vec<_>>().join(", "),
        Err(_) => "...".to_owned(),
    };
    let function = frame.function.as_deref().unwrap_or("??");
    let mark = frame_mark(frame);
    let at = place(frame.source.as_ref(), Some(&frame.code));
    let mut lines = vec![of(ranks, format!("#{:<2} {function} ({arguments}){at}{mark}", frame.level))];
    const MARGIN: &str = "        ";
    match locals {
        Ok(list) if list.is_empty() => lines.push(of(ranks, format!("{MARGIN}no locals"))),
        Ok(list) => {
            let margins = |text: &str| text.replace('\n', &format!("\n{MARGIN}"));
            let line = |v: &PrintedVariable| prefixed(ranks, &format!("{MARGIN}{} = {}", v.name, margins(&v.text)));
            lines.extend(list.iter().flat_map(line));
        }
        Err(why) => lines.push(of(ranks, format!("{MARGIN}{why}"))),
    }
    lines
}
