//! What runs beside the thread, and beside the process, that the user looks at.

use serde::{Deserialize, Serialize};

/// A setting that is one of a few words.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All of them.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Its word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The one of a word.
            pub fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

/// Whether the other threads of a rank stay where they are when one goes on: gdb's `scheduler-locking`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Locking {
    /// They run.
    Off,
    /// They stay, whatever the one does.
    On,
    /// They stay while it steps (`step`, `next`, `stepi`, `nexti`), and run otherwise.
    Step,
    /// They run, but would stay while an execution is replayed. None is here.
    #[default]
    Replay,
}

words!(Locking { Off = "off", On = "on", Step = "step", Replay = "replay" });

/// Which process a rank is after a fork: gdb's `follow-fork-mode`, with `both` for its `detach-on-fork off`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Follow {
    /// The one it was; the child runs free.
    #[default]
    Parent,
    /// The child; the parent runs free.
    Child,
    /// The one it was; the child is kept, stopped and clean, for another debugger.
    Both,
}

words!(Follow { Parent = "parent", Child = "child", Both = "both" });

impl Locking {
    /// Whether the others stay.
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
