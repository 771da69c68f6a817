//! Generates help and `docs/COMMANDS.md` from the table of commands.

use super::VARIABLES;
use super::table::{self, Entry, Repeat, Topic, entries, entries_of, info_is_followed_by, not_a_command};
use super::unsupported::instead;
use model::RegularExpression;
use std::fmt::Write as _;

/// Returns the command that a help topic names.
fn find_topic(text: &str) -> Option<&'static Entry> {
    let mut words = text.split_whitespace();
    let (first, second, third) = (words.next()?, words.next(), words.next());
    match (second, third) {
        (None, _) => table::find(first).ok(),
        (Some(second), None) => table::find_two_words(first, second),
        _ => None,
    }
}

fn usage(entry: &Entry) -> String {
    let slash = if entry.synopsis.starts_with("[/") { "" } else { " " };
    format!("{}{slash}{}", entry.name, entry.synopsis).trim_end().to_owned()
}

/// Returns why there is no help on a topic; `None`: there is.
pub fn why_no_help(topic: &str) -> Option<String> {
    if find_topic(topic).is_some() {
        return None;
    }
    Some(match instead(topic) {
        Some((words, what)) => format!("{words:?} is not supported: {what}"),
        None if topic == "info" => info_is_followed_by(),
        None => not_a_command(topic, &table::find(topic).err().unwrap_or_default()),
    })
}

/// Returns the text of `help` or `help COMMAND`.
pub fn help(topic: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(entry) = topic.and_then(find_topic) {
        let _ = writeln!(text, "{}\n{}", usage(entry), entry.summary);
        if !entry.details.is_empty() {
            let _ = writeln!(text, "{}", entry.details);
        }
        if !entry.aliases.is_empty() {
            let _ = writeln!(text, "Also: {}", entry.aliases.join(", "));
        }
        if entry.name == "set" || entry.name == "show" {
            for variable in VARIABLES {
                let _ = writeln!(text, "  {:<16} {}", variable.name, variable.meaning);
            }
        }
        return text.trim_end().to_owned();
    }
    let width = Topic::ALL.into_iter().flat_map(entries_of).map(|entry| entry.name.len()).max().unwrap_or(0);
    for topic in Topic::ALL {
        let _ = writeln!(text, "{}", topic.title());
        for entry in entries_of(topic) {
            let _ = writeln!(text, "  {:<width$} {}", entry.name, entry.summary);
        }
    }
    text.push_str("\"help COMMAND\" describes a command. A rank set in brackets may come first: [0-3] print x");
    text
}

/// Returns gdb's list of the commands and settings in whose names or texts a regular expression is found; `whole` with
/// their whole texts.
pub fn apropos(pattern: &RegularExpression, whole: bool) -> Vec<String> {
    let commands = Topic::ALL.into_iter().flat_map(entries_of).map(|entry| {
        let names: Vec<&str> = std::iter::once(&entry.name).chain(entry.aliases).copied().collect();
        (names.join(", "), entry.summary, if entry.details.is_empty() { None } else { Some(entry.details) })
    });
    let settings = VARIABLES.iter().map(|variable| (format!("set {}", variable.name), variable.meaning, None));
    let mut found: Vec<String> = commands
        .chain(settings)
        .filter(|(names, summary, details)| {
            [Some(names.as_str()), Some(*summary), *details].into_iter().flatten().any(|text| pattern.is_found_in(text))
        })
        .map(|(names, summary, details)| match details.filter(|_| whole) {
            Some(details) => format!("{names} -- {summary}\n{details}\n"),
            None => format!("{names} -- {summary}"),
        })
        .collect();
    found.sort_unstable();
    found
}

/// Says which commands enter at an empty prompt repeats.
fn repeated_by_enter() -> String {
    let names = |repeat| {
        let of_it = entries().filter(move |entry| entry.repeat == repeat);
        of_it.map(|entry| format!("`{}`", entry.name)).collect::<Vec<_>>().join(", ")
    };
    format!(
        "\nIn the full screen, enter on an empty prompt repeats the command before it, as in gdb, if that is your own \
         command or one\nof these: {}.\nAfter {} it goes on where they ended. No other command is repeated.\n",
        names(Repeat::Same),
        names(Repeat::GoesOn),
    )
}

/// Returns the page `docs/COMMANDS.md`.
pub fn commands_markdown() -> String {
    let mut text = String::from(
        "# Commands\n\nMade from the table in `src/controller/command/table`; `UPDATE=1 cargo test --test docs` \
         rewrites it.\n\nThe `:` prompt, batch files and macros take the same commands. A rank set in brackets before a \
         command applies to that\ncommand only: `[0-3,9] print x`; the default is the focus. `#` before a word starts a \
         comment. Put a word with blanks, or an\nempty one, in double quotes. Unambiguous abbreviations of names are \
         accepted.\n",
    );
    text.push_str(&repeated_by_enter());
    for topic in Topic::ALL {
        let _ = write!(text, "\n## {}\n", topic.title());
        for entry in entries_of(topic) {
            let _ = write!(text, "\n### `{}`\n\n{}", usage(entry), entry.summary);
            if !entry.details.is_empty() {
                let _ = write!(text, "\n{}", entry.details);
            }
            text.push('\n');
            if !entry.aliases.is_empty() {
                let names: Vec<String> = entry.aliases.iter().map(|name| format!("`{name}`")).collect();
                let _ = write!(text, "\nAlso: {}\n", names.join(", "));
            }
        }
    }
    text.push_str(
        "\n## Sets\n\n| set | ranks |\n|---|---|\n\
         | `all`, `none` | every rank, no rank |\n\
         | `0-3,7,0-62:2` | these; the last range with a stride of 2 |\n\
         | `NAME` | a set named with `group` |\n\
         | `.` | the focus |\n\
         | `stopped`, `running`, `lost` | ranks in that state |\n\
         | `exited` | ranks that exited or were killed by a signal |\n\
         | `held` | ranks that ignore go and step |\n\
         | `state(NAME)` | ranks in exactly that state: starting, running, stopped, exited, killed, detached, failed, lost |\n\
         | `at(LOCATION)`, `in(FUNCTION)` | ranks stopped there, in any frame of the stack |\n\
         | `top(FUNCTION)` | ranks stopped there, in the innermost frame |\n\
         | `host(GLOB)` | ranks on hosts whose names match |\n\
         | `{EXPRESSION}` | stopped ranks where the expression is true |\n\
         | `a \\| b`, `a - b`, `a & b`, `!a`, `(a)` | in either; in a and not in b; in both; not in a |\n\n\
         `!` binds tightest, then `&`, then `|` and `-` from left to right. `-` between two ranks without blanks is a \
         range.\n\nThreads follow a full stop, in `focus` and in brackets before a command: `0-3.2` is thread 2 of each \
         rank, `0-3.{2,5}`\nand `0-3.{2-5}` are several, `0-3.*` all. Commands that inspect a thread answer for each of \
         them, with equal answers once:\n`[0-3.{2,5}] where`. Steps are taken by one thread after another; commands \
         about processes, such as `go`, take the ranks.\n`jump`, `signal`, `watch`, `if` and `while` take one thread.\n\n## Settings\n\n| setting | default | meaning |\n|---|---|---|\n",
    );
    for variable in VARIABLES {
        let _ = writeln!(text, "| `{}` | {} | {} |", variable.name, variable.default_text(), variable.meaning);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::table::entries;

    #[test]
    fn commands_and_settings_are_found_by_their_texts() {
        let told = |pattern| apropos(&RegularExpression::parse(pattern, true).unwrap(), false);
        let all = told("BREAKPOINT");
        assert!(all.iter().any(|line| line.starts_with("break, b, dbreak -- Stops ranks when")), "{all:?}");
        assert!(all.iter().any(|line| line.starts_with("rbreak -- ")) && all.is_sorted(), "{all:?}");
        assert!(told("^set list-size").iter().all(|line| line.starts_with("set list-size -- ")));
        assert_eq!(told("^set list-size$").len(), 1);
        assert!(told("nothing of this name").is_empty());
        let whole = apropos(&RegularExpression::parse("^rbreak", false).unwrap(), true);
        assert!(whole[0].lines().count() > 1, "{whole:?}");
    }

    #[test]
    fn every_command_explains_itself() {
        for entry in entries() {
            assert!(help(Some(entry.name)).contains(entry.summary));
            assert!(help(None).contains(entry.summary));
        }
        assert!(help(Some("info break")).starts_with("breakpoints [ID…]\n"));
        assert!(help(Some("p")).starts_with("print[/FORMAT] [-OPTION [on|off|N]…] [--] [EXPRESSION]\n"));
    }
}
