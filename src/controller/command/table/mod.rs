//! The table of commands.

mod breakpoints;
mod data;
mod finding;
mod running;
mod saving;
mod scripts;
mod session;
mod sets;
mod signals;
mod stack;

use super::Command;
use super::arguments::Arguments;
use super::blocks::BlockKind;
use super::line_error::LineError;
use model::did_you_mean;

/// The section of help in which a command is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Commands about sets of ranks.
    Sets,
    /// Commands about breakpoints.
    Breakpoints,
    /// Commands that continue and stop ranks.
    Running,
    /// Commands about stacks, frames and threads.
    Stack,
    /// Commands about the program's data.
    Data,
    /// Commands that find things by name, content or address.
    Finding,
    /// Commands that write data to files, and read it back.
    Saving,
    /// Commands about signals.
    Signals,
    /// Commands of scripts.
    Scripts,
    /// Commands about the session and the debugger itself.
    Session,
}

impl Topic {
    /// All topics, in the order of help.
    pub const ALL: [Self; 10] = [
        Self::Sets,
        Self::Breakpoints,
        Self::Running,
        Self::Stack,
        Self::Data,
        Self::Finding,
        Self::Saving,
        Self::Signals,
        Self::Scripts,
        Self::Session,
    ];

    /// Returns the heading of the section.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sets => "Sets of ranks",
            Self::Breakpoints => "Breakpoints",
            Self::Running => "Running and stopping",
            Self::Stack => "Stacks and threads",
            Self::Data => "Data",
            Self::Finding => "Finding things",
            Self::Saving => "Saving data",
            Self::Signals => "Signals",
            Self::Scripts => "Scripts",
            Self::Session => "Session",
        }
    }
}

/// The kind of a command's arguments, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// The command has no arguments.
    Nothing,
    /// A set of ranks.
    Set,
    /// The name of a group of ranks.
    Group,
    /// A place in the program.
    Location,
    /// An expression of the program's language.
    Expression,
    /// This word, then an expression.
    ExpressionBehind(&'static str),
    /// The name of a snapshot, or one of these words.
    Snapshot(&'static [&'static str]),
    /// Numbers of breakpoints.
    Breakpoints,
    /// Any number.
    Number,
    /// A signal, then any of these words.
    Signal(&'static [&'static str]),
    /// The path of a file.
    File,
    /// The name of a command.
    Command,
    /// The name of a setting.
    Setting,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Arbitrary text, not completed.
    Free,
}

/// The part of a command in a block of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockWord {
    /// It opens a block.
    Opens(BlockKind),
    /// It begins the second part of an `if`.
    Else,
    /// It ends a block.
    End,
}

/// What enter at an empty prompt does after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Nothing: to do it twice by accident would lose something, or has no use.
    Never,
    /// It executes the line again.
    Same,
    /// It executes the command without its arguments, which goes on where the command ended.
    GoesOn,
}

/// A row of the table.
#[derive(Debug)]
pub struct Entry {
    /// The command's full name.
    pub name: &'static str,
    /// Other names; those with a blank are two words.
    pub aliases: &'static [&'static str],
    /// The arguments as help shows them.
    pub synopsis: &'static str,
    /// One sentence for the overview.
    pub summary: &'static str,
    /// Further paragraphs of help; may be empty.
    pub details: &'static str,
    /// The kind of the arguments, for completion.
    pub arguments: ArgumentKind,
    /// True if `/FORMAT` may follow the name.
    pub takes_format: bool,
    /// Its part in blocks of lines, if it has one.
    pub block: Option<BlockWord>,
    /// What enter at an empty prompt does after it.
    pub repeat: Repeat,
    pub(super) parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
}

const fn entry(
    name: &'static str,
    aliases: &'static [&'static str],
    synopsis: &'static str,
    summary: &'static str,
    details: &'static str,
    arguments: ArgumentKind,
    parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>,
) -> Entry {
    let (takes_format, block, repeat) = (false, None, Repeat::Never);
    Entry { name, aliases, synopsis, summary, details, arguments, takes_format, block, repeat, parse }
}

impl Entry {
    const fn repeating(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }
}

const fn with_format(mut entry: Entry) -> Entry {
    entry.takes_format = true;
    entry
}

const fn in_block(word: BlockWord, mut entry: Entry) -> Entry {
    entry.block = Some(word);
    entry
}

/// Returns all commands, by topic.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    Topic::ALL.into_iter().flat_map(entries_of)
}

/// Returns the commands of one topic, in the order of help.
pub fn entries_of(topic: Topic) -> impl Iterator<Item = &'static Entry> {
    let entries = match topic {
        Topic::Sets => sets::ENTRIES,
        Topic::Breakpoints => breakpoints::ENTRIES,
        Topic::Running => running::ENTRIES,
        Topic::Stack => stack::ENTRIES,
        Topic::Data => data::ENTRIES,
        Topic::Finding => finding::ENTRIES,
        Topic::Saving => saving::ENTRIES,
        Topic::Signals => signals::ENTRIES,
        Topic::Scripts => scripts::ENTRIES,
        Topic::Session => session::ENTRIES,
    };
    entries.iter()
}

/// Abbreviations that are gdb's although other commands begin with them, too: the shortest, and the command.
const ABBREVIATIONS: [(&str, &str); 3] = [("br", "break"), ("en", "enable"), ("und", "undisplay")];

/// Returns the command that a beginning of its name means in gdb.
fn abbreviated(name: &str) -> Option<&'static str> {
    let known = ABBREVIATIONS.iter().find(|(short, whole)| name.starts_with(short) && whole.starts_with(name));
    known.map(|(_, whole)| *whole)
}

/// Finds the command with this name, alias or unique beginning; otherwise returns all names with this beginning.
pub(super) fn find(name: &str) -> Result<&'static Entry, Vec<&'static str>> {
    let name = abbreviated(name).unwrap_or(name);
    let one_word = |alias: &&&str| !alias.contains(' ');
    if let Some(entry) = entries().find(|entry| entry.name == name || entry.aliases.contains(&name)) {
        return Ok(entry);
    }
    let begins = |entry: &&Entry| {
        entry.name.starts_with(name) || entry.aliases.iter().filter(one_word).any(|alias| alias.starts_with(name))
    };
    // The words of scripts are rarely typed: they make no abbreviation ambiguous.
    let typed = Topic::ALL.into_iter().filter(|topic| *topic != Topic::Scripts).flat_map(entries_of);
    let mut found: Vec<&Entry> = typed.filter(begins).collect();
    if found.is_empty() {
        found = entries_of(Topic::Scripts).filter(begins).collect();
    }
    match found.as_slice() {
        [entry] if !name.is_empty() => Ok(entry),
        _ => Err(found.iter().map(|entry| entry.name).collect()),
    }
}

/// True if a command or an alias has this name.
pub(super) fn is_name(name: &str) -> bool {
    entries().any(|entry| entry.name == name || entry.aliases.contains(&name))
}

/// Lists the words that may follow `info`.
pub(super) fn info_is_followed_by() -> String {
    let mut names: Vec<&str> =
        entries().flat_map(|entry| entry.aliases).filter_map(|alias| alias.strip_prefix("info ")).collect();
    names.sort_unstable();
    format!("expected a subcommand of info: {}", names.join(", "))
}

/// Finds a command of two words, `delete display`, or with a beginning of `info` as the first.
pub(super) fn find_two_words(first: &str, second: &str) -> Option<&'static Entry> {
    let both = format!("{first} {second}");
    if let Some(entry) = entries().find(|entry| entry.aliases.contains(&both.as_str())) {
        return Some(entry);
    }
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

/// Returns the error for a name that means no command; these names of commands begin with it.
pub(super) fn not_a_command(name: &str, candidates: &[&str]) -> String {
    let names = entries().flat_map(|entry| std::iter::once(&entry.name).chain(entry.aliases)).copied();
    match candidates {
        [] => format!("unknown command {name:?}; {}", did_you_mean(name, names, "\"help\" lists them")),
        some => format!("{name:?} is ambiguous: {}", some.join(", ")),
    }
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
    fn abbreviations_mean_what_they_mean_in_gdb() {
        let names = ["br", "bre", "brea", "break", "en", "enab", "und", "undisp"].map(|name| find(name).unwrap().name);
        let expected = ["break", "break", "break", "break", "enable", "enable", "undisplay", "undisplay"];
        assert_eq!(names, expected);
        assert_eq!(find("breakpoints").unwrap().name, "breakpoints");
        assert_eq!(find("unh").unwrap().name, "unhold");
    }

    #[test]
    fn near_misses_are_found() {
        let near = |name| not_a_command(name, &[]);
        assert_eq!(near("prnit"), "unknown command \"prnit\"; did you mean \"print\"?");
        assert_eq!(near("brekpoints"), "unknown command \"brekpoints\"; did you mean \"breakpoints\"?");
        assert_eq!(near("zzz"), "unknown command \"zzz\"; \"help\" lists them");
        assert_eq!(find("un").unwrap_err(), ["ungroup", "until", "unhold", "undisplay", "unset"]);
    }
}
