//! The command line.

pub mod attach;
pub mod front_end;
pub mod hint;
pub mod hosts;
pub mod run;
pub mod subcommands;
