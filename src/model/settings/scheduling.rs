//! The settings for the other threads of a rank, and for processes it forks.

use serde::{Deserialize, Serialize};

/// A setting with a fixed list of words.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in commands.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// Parses a word; `None` if it is not one of [`Self::WORDS`].
            pub fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// The mode of gdb's `scheduler-locking`: when the other threads of a rank stay stopped while one runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Locking {
    /// The other threads run.
    Off,
    /// The other threads stay stopped.
    On,
    /// The other threads stay stopped while one steps (`step`, `next`, `stepi`, `nexti`), and run otherwise.
    Step,
    /// As `Off`: the other threads would stay stopped only during replay, which rankscope does not support.
    #[default]
    Replay,
}

words!(Locking { Off = "off", On = "on", Step = "step", Replay = "replay" });

/// The process that is the rank after a fork: gdb's `follow-fork-mode`, with `both` for its `detach-on-fork off`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// The parent; the child runs free.
    #[default]
    Parent,
    /// The child; the parent runs free.
    Child,
    /// The parent; the child is kept stopped, without breakpoints, for another debugger.
    Both,
}

words!(Follow { Parent = "parent", Child = "child", Both = "both" });

impl Locking {
    /// True if the other threads stay stopped; `steps` is true for a step.
    pub fn locks(self, steps: bool) -> bool {
        match self {
            Self::On => true,
            Self::Step => steps,
            Self::Off | Self::Replay => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for word in Locking::WORDS {
            assert_eq!(Locking::parse(word).map(Locking::word), Some(*word));
        }
        for word in Follow::WORDS {
            assert_eq!(Follow::parse(word).map(Follow::word), Some(*word));
        }
        assert_eq!((Locking::parse("On"), Follow::parse("")), (None, None));
        assert_eq!((Locking::default().word(), Follow::default().word()), ("replay", "parent"));
    }

    #[test]
    fn steps_alone_are_locked_by_step() {
        let locked = |steps| Locking::WORDS.iter().map(move |word| Locking::parse(word).unwrap().locks(steps));
        assert_eq!(locked(true).collect::<Vec<_>>(), [false, true, true, false]);
        assert_eq!(locked(false).collect::<Vec<_>>(), [false, true, false, false]);
    }
}
