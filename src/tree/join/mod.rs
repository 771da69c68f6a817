//! The joiner: the launcher starts it in place of the program; it has its node's server trace it, and then executes the
//! program. Process ID, parent, open files and environment stay as the launcher made them.

mod environment;
mod error;
mod find_server;
mod meeting;
pub mod message;
mod output;
pub mod plan;
mod run;

pub use environment::{Place, PlaceError, claimed_place, claimed_rank, place_in_job, rank_variables};
pub use error::{EXIT_NO_DEBUGGER, JoinError};
pub use run::run;
