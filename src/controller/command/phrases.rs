//! Commands and settings of several words (`info breakpoints`, `set print pretty on`), for completion.

use super::VARIABLES;
use super::fixed_settings::fixed_names;
use super::parse::program_start;
use super::table::entries;
use super::variable_table::{PRINT, Sort, Variable, on_or_off};

/// Returns the words that go on at the end of a line, without its set; `None` if the words before it begin nothing.
pub(super) fn next_words(body: &str) -> Option<Vec<String>> {
    let (before, begun) = body.split_at(body.rfind(char::is_whitespace).map_or(0, |at| at + 1));
    let mut before: Vec<&str> = before.split_whitespace().collect();
    let first = before.first_mut()?;
    if *first == "i" {
        *first = "info";
    }
    let mut found: Vec<String> = Vec::new();
    let mut begins = false;
    for phrase in phrases() {
        let mut words = phrase.split(' ');
        if !before.iter().all(|word| words.next() == Some(word)) {
            continue;
        }
        begins = true;
        found.extend(words.next().filter(|next| next.starts_with(begun) && *next != begun).map(str::to_owned));
    }
    found.sort();
    found.dedup();
    begins.then_some(found)
}

fn phrases() -> impl Iterator<Item = String> {
    let names = entries().flat_map(|entry| std::iter::once(&entry.name).chain(entry.aliases)).copied();
    let names = names.filter(|name| name.contains(' ')).map(str::to_owned);
    let others = program_start::NAMES.iter().copied().chain(fixed_names()).flat_map(both);
    names.chain(VARIABLES.iter().flat_map(of_setting)).chain(others)
}

/// Returns the phrases that change and show a setting, with its values if they are words.
fn of_setting(variable: &Variable) -> Vec<String> {
    let spellings =
        [Some(variable.name.to_owned()), variable.name.strip_prefix(PRINT).map(|rest| format!("print {rest}"))];
    let values: Vec<&str> = match variable.sort {
        Sort::Print(_) => [true, false].map(on_or_off).to_vec(),
        Sort::Word { words, .. } => words.to_vec(),
        Sort::Switch { default } => vec!["true", "false", default],
        Sort::Limit { .. } | Sort::Depth { .. } => vec!["unlimited"],
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for name in spellings.into_iter().flatten() {
        all.extend(values.iter().map(|value| format!("set {name} {value}")));
        all.extend(both(&name));
    }
    all
}

fn both(name: &str) -> [String; 2] {
    [format!("set {name}"), format!("show {name}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_on_as_the_table_has_them() {
        let next = |body: &str| next_words(body).map(|words| words.join(" "));
        assert_eq!(next("info br").as_deref(), Some("break breakpoints"));
        assert_eq!(next("i  sha").as_deref(), Some("sharedlibrary"));
        assert_eq!(next("set print pre").as_deref(), Some("pretty"));
        assert_eq!(next("set print pretty o").as_deref(), Some("off on"));
        assert_eq!(next("set scheduler-locking re").as_deref(), Some("replay"));
        assert_eq!(next("show pag").as_deref(), Some("pagination"));
        assert_eq!(next("set breakpoint ").as_deref(), Some("pending"));
        assert_eq!(next("set env").as_deref(), Some("environment"));
        assert_eq!(next("print x"), None);
        assert_eq!(next("info"), None, "the command itself is completed by the table");
    }
}
