//! What the kernel knows of the processes of ranks: `info proc`, `info auxv`.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{AUXILIARY_TYPES, AuxiliaryEntry, AuxiliaryForm, MappedRange, ProcessFacts, ProcessSet};

/// Returns gdb's lines.
pub(in crate::report) fn text(ranks: &ProcessSet, facts: &ProcessFacts) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(facts.pid.map(|pid| format!("process {pid}")));
    let quoted = [("cmdline", &facts.command_line), ("cwd", &facts.directory), ("exe", &facts.executable)];
    lines.extend(quoted.into_iter().filter_map(|(name, value)| Some(format!("{name} = '{}'", value.as_ref()?))));
    if let Some(mappings) = &facts.mappings {
        lines.extend(mapping_lines(mappings));
        if facts.mappings_left_out > 0 {
            lines.push(format!("{} more", facts.mappings_left_out));
        }
    }
    lines.extend(facts.status.iter().flat_map(|status| status.lines()).map(str::to_owned));
    lines.extend(facts.auxiliary_vector.iter().flatten().map(auxiliary_line));
    if lines.is_empty() {
        lines.push("not known".to_owned());
    }
    lines.into_iter().map(|line| of(ranks, line).trim_end().to_owned()).collect()
}

fn mapping_lines(mappings: &[MappedRange]) -> Vec<String> {
    let mut lines = vec!["Mapped address spaces:".to_owned(), String::new()];
    // Core files do not tell permissions.
    let has_permissions = mappings.iter().any(|one| !one.permissions.is_empty());
    let perms = |text: &str| if has_permissions { format!(" {text:<5}  ") } else { String::new() };
    let line = |start: &str, end: &str, size: &str, offset: &str, permissions: &str, file: &str| {
        format!("  {start:>18} {end:>18} {size:>10} {offset:>10} {}{file}", perms(permissions))
    };
    lines.push(line("Start Addr", "End Addr", "Size", "Offset", "Perms", "objfile"));
    lines.extend(mappings.iter().map(|one| {
        let size = one.end.0.saturating_sub(one.start.0);
        let (size, offset) = (format!("{size:#x}"), format!("{:#x}", one.offset));
        line(&one.start.to_string(), &one.end.to_string(), &size, &offset, &one.permissions, &one.file)
    }));
    lines
}

fn auxiliary_line(entry: &AuxiliaryEntry) -> String {
    let known = AUXILIARY_TYPES.iter().find(|(tag, ..)| *tag == entry.tag);
    let (name, meaning, form) =
        known.map_or(("???", "", AuxiliaryForm::Hexadecimal), |(_, name, meaning, form)| (*name, *meaning, *form));
    let value = match (form, &entry.text) {
        (AuxiliaryForm::Decimal, _) => entry.value.to_string(),
        (AuxiliaryForm::Text, Some(text)) => format!("{:#x} {text:?}", entry.value),
        _ => format!("{:#x}", entry.value),
    };
    format!("{:<4} {name:<20} {meaning:<30} {value}", entry.tag)
}

/// Returns an object for the ranks that have the same facts.
pub(in crate::report) fn json(ranks: &ProcessSet, facts: &ProcessFacts) -> Object {
    let mapping = |one: &MappedRange| {
        Object::default()
            .with("start", one.start.to_string())
            .with("end", one.end.to_string())
            .with("offset", one.offset)
            .maybe("permissions", Some(&one.permissions).filter(|text| !text.is_empty()))
            .with("file", &one.file)
    };
    let entry = |one: &AuxiliaryEntry| {
        let name = AUXILIARY_TYPES.iter().find(|(tag, ..)| *tag == one.tag).map(|(_, name, ..)| *name);
        let object = Object::default().with("tag", one.tag).maybe("name", name);
        object.with("value", format!("{:#x}", one.value)).maybe("text", one.text.as_deref())
    };
    let left_out = Some(facts.mappings_left_out).filter(|count| *count > 0);
    Object::of_type("process")
        .ranks(ranks)
        .maybe("pid", facts.pid)
        .maybe("command_line", facts.command_line.as_deref())
        .maybe("directory", facts.directory.as_deref())
        .maybe("executable", facts.executable.as_deref())
        .maybe("mappings", facts.mappings.as_ref().map(|all| all.iter().map(mapping).collect::<Vec<_>>()))
        .maybe("mappings_left_out", left_out)
        .maybe("status", facts.status.as_deref())
        .maybe("auxiliary_vector", facts.auxiliary_vector.as_ref().map(|all| all.iter().map(entry).collect::<Vec<_>>()))
}
