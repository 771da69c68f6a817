//! Engines: one interface to debugged processes and core files, four implementations. An engine has all ranks of its server, so that
//! they share symbol tables and the tracer thread.
#![warn(unused_crate_dependencies)]

pub mod core;
pub mod fake;
pub mod gdb;
pub mod handover;
pub mod native;
pub mod process;

mod causes;
mod core_file;
mod engines;
mod fatal_signals;
mod first_stop;
mod interface;
mod memory_text;
mod message_queues;
mod named_place;
mod printer_faults;
mod refused_condition;
mod remains;
mod secrecy;
mod source_file;
mod start;
mod unreasonable_jump;

pub use crate::handover::handed::{Handed, Keeper, Refusal, TakenOver, portable};
pub use crate::message_queues::serve_queue_library;
pub use crate::native::take_care;
pub use crate::process::output::OutputTap;
pub use crate::process::output_pace::OutputPace;
pub use crate::process::rank_input::{InputPipe, SendError};
pub use engines::Engines;
pub use fatal_signals::last_words;
pub use interface::{Acquisition, Adoption, Engine, EngineFault, Query, Report, ReportSink};
pub use source_file::SourcePlaces;
pub use start::{EngineSetup, start};
