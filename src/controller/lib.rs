//! The core of the front end: takes command lines and replies, produces requests, reports, and the state to draw.
//! [`Controller`] does no I/O and is given its [`Clock`], so that the screen, the batch runner and tests drive it in
//! the same way.
#![warn(unused_crate_dependencies)]

pub mod command;
mod core;
pub mod report;
pub mod sets;
pub mod state;

mod clock;
mod saved;
mod settings;
mod triage;
mod why;

pub use crate::core::{Controller, DataRead, DataWrite, Effect, LogOrder};
pub use clock::Clock;
pub use command::CommandId;
pub use report::{Comparison, Content, Numbers, Origin, Report, arguments_text, share};
pub use saved::SavedSetup;
pub use settings::{Settings, Start};
pub use state::{Gaze, StackTree, State, TreeFrame, TreeNode, Views};
pub use triage::{JobReport, ReportOrder};
pub use why::{Edge, Place, Since, Source, Verdict, Why};
