//! The standard input of ranks that are started.

use crate::{ProcessSet, Rank};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The source of a rank's standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InputSource {
    /// The end of the input comes at once.
    #[default]
    Nothing,
    /// The text of the command `send`.
    Sent,
    /// A file on the rank's host.
    File(String),
}

/// The standard input of all ranks of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StandardInput {
    /// The source of ranks that are not listed.
    pub all: InputSource,
    /// Ranks with other sources; the last that names a rank counts.
    pub ranks: Vec<(ProcessSet, InputSource)>,
}

/// One `--stdin` option: `[RANKS:]FILE`, `none` or `terminal`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOption {
    /// The ranks; `None`: all that no other option names.
    pub ranks: Option<ProcessSet>,
    /// Their source.
    pub source: InputSource,
}

const NOTHING: &str = "none";
const SENT: &str = "terminal";

impl InputOption {
    /// Reads what [`fmt::Display`] writes. A file whose name looks like an option's other words is named with `./`.
    pub fn parse(text: &str) -> Result<Self, String> {
        // A stride has a colon, too: the longest set at the beginning counts.
        let set_before = |at: usize| ProcessSet::parse(text.get(..at)?).ok().zip(text.get(at + 1..));
        let begins_with_rank = text.starts_with(|c: char| c.is_ascii_digit());
        let colons = text.match_indices(':').map(|(at, _)| at).filter(|_| begins_with_rank);
        let (ranks, source) = match colons.rev().find_map(set_before) {
            Some((ranks, rest)) => (Some(ranks), rest),
            None => (None, text),
        };
        let source = match source {
            "" => return Err("expected FILE, RANK:FILE, none or terminal".to_owned()),
            NOTHING => InputSource::Nothing,
            SENT => InputSource::Sent,
            file => InputSource::File(file.to_owned()),
        };
        Ok(Self { ranks, source })
    }
}

impl fmt::Display for InputOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ranks) = &self.ranks {
            write!(f, "{ranks}:")?;
        }
        match &self.source {
            InputSource::Nothing => f.write_str(NOTHING),
            InputSource::Sent => f.write_str(SENT),
            InputSource::File(file) => f.write_str(file),
        }
    }
}

impl StandardInput {
    /// Builds the input from options; `otherwise` is the source if none is for all ranks.
    pub fn of_options(options: &[InputOption], otherwise: InputSource) -> Self {
        let mut input = Self { all: otherwise, ranks: Vec::new() };
        for InputOption { ranks, source } in options {
            match ranks {
                None => input.all = source.clone(),
                Some(ranks) => input.ranks.push((ranks.clone(), source.clone())),
            }
        }
        input
    }

    /// Returns the source of a rank's input.
    pub fn of(&self, rank: Rank) -> &InputSource {
        self.ranks.iter().rev().find(|(ranks, _)| ranks.contains(rank)).map_or(&self.all, |(_, source)| source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn options_name_ranks_and_sources() {
        let all = |text: &str| {
            let options: Vec<_> = text.split(' ').map(|word| InputOption::parse(word).unwrap()).collect();
            StandardInput::of_options(&options, InputSource::Nothing)
        };
        let input = all("terminal 0-1:a.txt 1:none c:d");
        let of = |rank| input.of(Rank(rank)).clone();
        assert_eq!(of(0), InputSource::File("a.txt".into()));
        assert_eq!(of(1), InputSource::Nothing);
        assert_eq!(of(2), InputSource::File("c:d".into()));
        assert_eq!(*all("3:x").of(Rank(0)), InputSource::Nothing);
        let strided = all("0-8:4:x:y");
        assert_eq!(
            (strided.of(Rank(4)), strided.of(Rank(2))),
            (&InputSource::File("x:y".into()), &InputSource::Nothing)
        );
        assert!(InputOption::parse("").is_err() && InputOption::parse("2:").is_err());
    }

    fn sources() -> impl Strategy<Value = InputSource> {
        let file = "[./][a-z0-9./: -]{1,9}".prop_map(InputSource::File);
        prop_oneof![Just(InputSource::Nothing), Just(InputSource::Sent), file]
    }

    proptest! {
        #[test]
        fn options_read_back(
            ranks in prop::option::of(prop::collection::btree_set(0_u32..40, 1..6)),
            source in sources(),
        ) {
            let ranks = ranks.map(|ranks| ranks.into_iter().map(Rank).collect());
            let option = InputOption { ranks, source };
            prop_assert_eq!(InputOption::parse(&option.to_string()).unwrap(), option);
        }
    }
}
