//! Arguments of `snapshot` and `compare snapshot`.

use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use crate::command::{Command, DataCommand, SnapshotOrder};

/// The longest name of a snapshot.
const LONGEST: usize = 32;

pub(in crate::command) fn snapshot(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let order = match arguments.word()? {
        None => SnapshotOrder::Keep(None),
        Some(word) => match word.text.as_str() {
            "list" => SnapshotOrder::List,
            "delete" => return deleted(arguments),
            _ => SnapshotOrder::Keep(Some(name(arguments, word)?)),
        },
    };
    Ok(DataCommand::Snapshot(order).into())
}

fn deleted(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut names = vec![arguments.required("the name of a snapshot, or all")?];
    while let Some(word) = arguments.word()? {
        names.push(word);
    }
    let order = match names.as_slice() {
        [only] if only.text == "all" => SnapshotOrder::DeleteAll,
        _ => SnapshotOrder::Delete(names.into_iter().map(|word| word.text).collect()),
    };
    Ok(DataCommand::Snapshot(order).into())
}

pub(in crate::command) fn compare(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let order = match arguments.word()? {
        None => SnapshotOrder::Compare(None),
        Some(word) if word.text == "none" => SnapshotOrder::CompareNone,
        Some(word) => SnapshotOrder::Compare(Some(word.text)),
    };
    Ok(DataCommand::Snapshot(order).into())
}

/// Checks the name of a new snapshot.
fn name(arguments: &Arguments<'_>, word: Word) -> Result<String, LineError> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_taken = matches!(word.text.as_str(), "all" | "none");
    if is_taken || word.text.is_empty() || word.text.len() > LONGEST || !word.text.chars().all(is_plain) {
        let words = format!(
            "{:?} cannot name a snapshot: up to {LONGEST} letters, digits, \"_\", \"-\" and \".\", not all or none",
            word.text
        );
        return Err(arguments.fault(word.at, words));
    }
    Ok(word.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_line;
    use std::collections::BTreeMap;

    fn parsed(line: &str) -> Result<SnapshotOrder, String> {
        match parse_line(line, &BTreeMap::new()).map_err(|error| error.to_string())?.command {
            Command::Data(DataCommand::Snapshot(order)) => Ok(order),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn orders_about_snapshots() {
        assert_eq!(parsed("snapshot"), Ok(SnapshotOrder::Keep(None)));
        assert_eq!(parsed("[0-3] snapshot before"), Ok(SnapshotOrder::Keep(Some("before".into()))));
        assert_eq!(parsed("snapshot list"), Ok(SnapshotOrder::List));
        assert_eq!(parsed("snapshot delete 1 two"), Ok(SnapshotOrder::Delete(vec!["1".into(), "two".into()])));
        assert_eq!(parsed("snapshot delete all"), Ok(SnapshotOrder::DeleteAll));
        assert_eq!(parsed("compare snapshot"), Ok(SnapshotOrder::Compare(None)));
        assert_eq!(parsed("compare snapshot 2"), Ok(SnapshotOrder::Compare(Some("2".into()))));
        assert_eq!(parsed("compare snapshot none"), Ok(SnapshotOrder::CompareNone));
        for wrong in ["snapshot a/b", "snapshot a b", "snapshot all", "snapshot delete", "compare snapshot a b"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            parse_line("compare (snapshot)", &BTreeMap::new()).unwrap().command,
            DataCommand::Compare("(snapshot)".into()).into()
        );
        assert_eq!(
            parse_line("compare snapshots[1]", &BTreeMap::new()).unwrap().command,
            DataCommand::Compare("snapshots[1]".into()).into()
        );
    }
}
