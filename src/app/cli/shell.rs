//! The shells that completions are made for.

use clap::ValueEnum;

/// Shells that complete command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// source <(rankscope completions bash)
    Bash,
    /// rankscope completions zsh > DIR/_rankscope, in a directory of $fpath
    Zsh,
    /// rankscope completions fish | source
    Fish,
}
