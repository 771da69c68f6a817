//! The table of commands.

mod breakpoints;
mod data;
mod running;
mod session;
mod sets;
mod signals;
mod stack;

use super::Command;
use super::arguments::Arguments;
use super::line_error::LineError;
use crate::nearest::nearest;

/// Where a command stands in help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Whom commands mean.
    Sets,
    /// Where to stop.
    Breakpoints,
    /// Going and stopping.
    Running,
    /// Where ranks are.
    Stack,
    /// What variables hold.
    Data,
    /// Signals.
    Signals,
    /// The session and the debugger itself.
    Session,
}

impl Topic {
    /// In the order of help.
    pub const ALL: [Self; 7] =
        [Self::Sets, Self::Breakpoints, Self::Running, Self::Stack, Self::Data, Self::Signals, Self::Session];

    /// As a heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sets => "Sets of ranks",
            Self::Breakpoints => "Breakpoints",
            Self::Running => "Running and stopping",
            Self::Stack => "Stacks and threads",
            Self::Data => "Data",
            Self::Signals => "Signals",
            Self::Session => "Session",
        }
    }
}

/// What the arguments of a command are, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// None.
    Nothing,
    /// A set.
    Set,
    /// The name of a group.
    Group,
    /// A place in the program.
    Location,
    /// An expression of the program's language.
    Expression,
    /// Numbers of breakpoints.
    Breakpoints,
    /// A number.
    Number,
    /// A signal, then these words.
    Signal(&'static [&'static str]),
    /// A file.
    File,
    /// The name of a command.
    Command,
    /// A setting.
    Setting,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Anything.
    Free,
}

/// A row of the table.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Other names; those with a blank are two words.
    pub aliases: &'static [&'static str],
    /// Where it stands in help.
    pub topic: Topic,
    /// Arguments as help shows them.
    pub synopsis: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// More; may be empty.
    pub details: &'static str,
    /// For completion.
    pub arguments: ArgumentKind,
    /// Whether `/FORMAT` may follow the name.
    pub takes_format: bool,
    pub(super) parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
}

const fn entry(
    topic: Topic,
    name: &'static str,
    aliases: &'static [&'static str],
    synopsis: &'static str,
    summary: &'static str,
    details: &'static str,
    arguments: ArgumentKind,
    parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
) -> Entry {
    Entry { name, aliases, topic, synopsis, summary, details, arguments, takes_format: false, parse }
}

const fn with_format(mut entry: Entry) -> Entry {
    entry.takes_format = true;
    entry
}

/// All commands, by topic.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    const ALL: [&[Entry]; 7] = [
        sets::ENTRIES,
        breakpoints::ENTRIES,
        running::ENTRIES,
        stack::ENTRIES,
        data::ENTRIES,
        signals::ENTRIES,
        session::ENTRIES,
    ];
    ALL.into_iter().flatten()
}

/// The command of a name, an alias, or a beginning that only one has. Otherwise all that begin so.
pub(super) fn find(name: &str) -> Result<&'static Entry, Vec<&'static str>> {
    let one_word = |alias: &&&str| !alias.contains(' ');
    if let Some(entry) = entries().find(|entry| entry.name == name || entry.aliases.contains(&name)) {
        return Ok(entry);
    }
    let begins = |entry: &&Entry| {
        entry.name.starts_with(name) || entry.aliases.iter().filter(one_word).any(|alias| alias.starts_with(name))
    };
    let found: Vec<&Entry> = entries().filter(begins).collect();
    match found.as_slice() {
        [entry] if !name.is_empty() => Ok(entry),
        _ => Err(found.iter().map(|entry| entry.name).collect()),
    }
}

/// A command or an alias has this name.
pub(super) fn is_name(name: &str) -> bool {
    entries().any(|entry| entry.name == name || entry.aliases.contains(&name))
}

/// Says what may stand behind `info`.
pub(super) fn info_is_followed_by() -> String {
    let mut names: Vec<&str> =
        entries().flat_map(|entry| entry.aliases).filter_map(|alias| alias.strip_prefix("info ")).collect();
    names.sort_unstable();
    format!("expected a subcommand of info: {}", names.join(", "))
}

/// The command of two words, the first a beginning of `info`.
pub(super) fn find_two_words(first: &str, second: &str) -> Option<&'static Entry> {
    if first.is_empty() || !"info".starts_with(first) {
        return None;
    }
    let whole = format!("info {second}");
    if let Some(entry) = entries().find(|entry| entry.aliases.contains(&whole.as_str())) {
        return Some(entry);
    }
    let mut found = entries().filter(|entry| entry.aliases.iter().any(|alias| alias.starts_with(&whole)));
    let entry = found.next()?;
    found.next().is_none().then_some(entry)
}

/// A command that is spelled nearly like this.
pub(super) fn nearest_command(name: &str) -> Option<&'static str> {
    nearest(name, entries().flat_map(|entry| std::iter::once(&entry.name).chain(entry.aliases)).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_commands() {
        let mut names: Vec<&str> = entries().flat_map(|e| std::iter::once(&e.name).chain(e.aliases)).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn summaries_are_sentences() {
        for entry in entries() {
            assert!(entry.summary.ends_with('.'), "{}", entry.name);
            assert!(entry.summary.starts_with(char::is_uppercase), "{}", entry.name);
        }
    }

    #[test]
    fn near_misses_are_found() {
        assert_eq!(nearest_command("prnit"), Some("print"));
        assert_eq!(nearest_command("brekpoints"), Some("breakpoints"));
        assert_eq!(nearest_command("zzz"), None);
        assert_eq!(find("un").unwrap_err(), ["ungroup", "until", "unhold", "undisplay"]);
    }
}
