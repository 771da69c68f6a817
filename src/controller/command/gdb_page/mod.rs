//! The page for users of gdb, `docs/GDB.md`: which of gdb's commands and settings work here, and what to type instead of
//! the others. Each row is tried with the parser, so the page follows the table of commands.

mod left_out;
mod rows;

use super::fixed_settings::find_fixed;
use super::ignored::{IGNORED, ignored};
use super::line::{entry_of_line, parse_line};
use super::unsupported::{instead, instead_of_arguments};
use left_out::LEFT_OUT;
use rows::{Row, SECTIONS};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The fate of a command of gdb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Here {
    /// It is a command here, with this name.
    Works(&'static str),
    /// It is a setting with this value, which cannot be changed; this is why.
    Only(&'static str, &'static str),
    /// It has no effect, and a script goes on; this is why.
    Ignored(&'static str),
    /// It is not; this is the way to go.
    Instead(&'static str),
    /// The parser refuses it without saying what to do.
    Unanswered,
}

fn here(row: &Row) -> Here {
    let fixed = row.sample.strip_prefix("set ").and_then(find_fixed);
    if let Some((fixed, _)) = fixed {
        return Here::Only(fixed.value, fixed.words);
    }
    if let Some((_, why)) = ignored(row.sample) {
        return Here::Ignored(why);
    }
    let entry = entry_of_line(row.sample);
    match (parse_line(row.sample, &BTreeMap::new()), entry) {
        (Ok(_), Some(entry)) => Here::Works(entry.name),
        (_, entry) => {
            let arguments = row.sample.split_once(' ').map_or("", |(_, arguments)| arguments);
            let of_arguments = entry.and_then(|entry| instead_of_arguments(entry.name, arguments));
            let of_line = instead(row.sample).map(|(_, words)| words);
            of_arguments.or(of_line).map_or(Here::Unanswered, Here::Instead)
        }
    }
}

/// True if the words are the first ones of the command.
fn begins_with(command: &str, words: &str) -> bool {
    command.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
}

/// True if the page has a word about this command of gdb.
pub fn has_word_about(command: &str) -> bool {
    let setting =
        command.strip_prefix("show ").or_else(|| command.strip_prefix("unset ")).map(|name| format!("set {name}"));
    let about = |command: &str| {
        SECTIONS
            .iter()
            .flat_map(|section| section.rows)
            .any(|row| begins_with(command, row.gdb) || begins_with(row.gdb, command))
            || IGNORED.iter().any(|(names, _)| names.iter().any(|name| begins_with(command, name)))
            || LEFT_OUT.iter().any(|(names, _)| names.iter().any(|name| begins_with(command, name)))
    };
    about(command) || setting.is_some_and(|command| about(&command))
}

/// Returns the page `docs/GDB.md`.
pub fn gdb_markdown() -> String {
    let mut text = String::from(
        "# For users of gdb\n\nMade from the table in `src/controller/command/gdb_page`; `UPDATE=1 cargo test --test docs` \
         rewrites it.\n\nWhat your fingers know of gdb 16, and what it does here. Every command acts on all ranks of the \
         focus, or on those in brackets\nbefore it: `[0-3] next`. Typed at the prompt, a command that is not here \
         answers with the words of its row.\n[Commands](COMMANDS.md) describes those that work, [scripts](SCRIPTS.md) what to change in scripts; [known \
         limits](KNOWN-LIMITS.md) lists what differs from gdb in detail.\n",
    );
    for section in SECTIONS {
        let _ = write!(text, "\n## {}\n\n| gdb | here |\n|---|---|\n", section.title);
        for row in section.rows {
            let gdb = row.gdb.replace('|', "\\|");
            let mut cell = match here(row) {
                Here::Works(name) if begins_with(row.gdb, name) => "works".to_owned(),
                Here::Works(name) => format!("works, as `{name}`"),
                Here::Only(value, words) => format!("only `{value}`: {}", quoted_as_code(words)),
                Here::Ignored(why) => format!("ignored: {}", quoted_as_code(why)),
                Here::Instead(words) => format!("not here: {}", quoted_as_code(words)),
                Here::Unanswered => "not here".to_owned(),
            };
            if !row.note.is_empty() {
                let _ = write!(cell, "; {}", row.note);
            }
            let _ = writeln!(text, "| `{gdb}` | {} |", cell.replace('|', "\\|"));
        }
    }
    text.push_str(
        "\n## Ignored\n\nThese lines have no effect here. A note says so, once a script, and the script goes on: a \
         `.gdbinit` can be run by `source`.\nA setting of above with another value than its only one is ignored, \
         too. What `python` and files in Python would define is ignored\nwith them, at a block up to its `end`.\n\n| gdb | why |\n|---|---|\n",
    );
    for (names, why) in IGNORED {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| {} | {} |", names.join(", "), quoted_as_code(why));
    }
    text.push_str("\n## Left out\n\nThese commands of gdb have no row above.\n\n| gdb | why |\n|---|---|\n");
    for (names, why) in LEFT_OUT {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| {} | {why} |", names.join(", "));
    }
    text
}

/// Turns quoted lines into code.
fn quoted_as_code(words: &str) -> String {
    words.replace('"', "`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_has_an_answer() {
        let rows = || SECTIONS.iter().flat_map(|section| section.rows);
        let unanswered: Vec<&str> = rows().filter(|row| here(row) == Here::Unanswered).map(|row| row.sample).collect();
        assert!(unanswered.is_empty(), "{unanswered:?}");
        let names: BTreeSet<&str> = rows().map(|row| row.gdb).collect();
        assert_eq!(names.len(), rows().count(), "a row is there twice");
    }

    #[test]
    fn a_command_is_found_by_its_first_words() {
        assert!(has_word_about("info proc mappings") && has_word_about("show print elements"));
        assert!(has_word_about("set print") && has_word_about("unset environment"));
        assert!(!has_word_about("info processor") && !has_word_about("nothing"));
    }
}
