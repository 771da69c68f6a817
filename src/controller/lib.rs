//! The front end's head: command lines and replies in; requests, reports and a state to be drawn out. [`Controller`]
//! does no I/O and is given its [`Clock`], so that the screen, the batch runner and tests drive it alike.

pub mod batch;
pub mod cli;
pub mod cli_attach;
pub mod cli_front;
pub mod cli_hint;
pub mod cli_hosts;
pub mod cli_run;
pub mod command;
pub mod complaint;
pub mod config;
pub mod demo;
pub mod files;
pub mod front;
pub mod launcher;
pub mod manual;
pub mod nearest;
pub mod report;
pub mod reverse;
pub mod session;
pub mod sessions;
pub mod sets;
pub mod state;

mod clock;
mod comparison;
mod ending_signals;
mod head;
mod link;
mod saved;
mod settings;
mod stack_tree;
mod value;

pub use clock::Clock;
pub use comparison::{Comparison, Numbers};
pub use ending_signals::EndingSignals;
pub use head::{CommandId, Controller, Effect};
pub use link::{Arrival, LinkCarrier, SessionLink};
pub use report::{Content, Origin, Report};
pub use settings::{Settings, Start};
pub use stack_tree::{StackTree, TreeFrame, TreeNode};
pub use state::{Gaze, State, Views};
