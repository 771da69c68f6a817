//! Values that every layer speaks: no I/O, no async, no wire, no screen.

mod address;
mod alike;
mod breakpoint;
mod datum;
mod engine_name;
mod event;
mod failure;
mod frame;
mod instruction;
mod launch;
mod location;
mod operation;
mod point;
mod printable;
mod process_set;
mod rank;
mod run_settings;
mod scheduling;
mod set_text;
mod signal;
mod state;
mod tally;

pub mod aif;

pub use address::{FileAddress, LoadBias, VirtualAddress};
pub use alike::join_processes;
pub use breakpoint::{Breakpoint, BreakpointId, BreakpointRequest, Site};
pub use datum::{Datum, Variable, VariableValue};
pub use engine_name::EngineName;
pub use event::{Answer, Event, Library, RegisterValue, Severity, Stream, ThreadInfo, Trace};
pub use failure::{ErrorCode, Failure};
pub use frame::{CodePlace, Frame, SourcePlace};
pub use instruction::Instruction;
pub use launch::{LaunchSpec, StopAt};
pub use location::{LocationError, LocationSpec, QUALIFIED};
pub use operation::{Context, Examination, Inquiry, Operation, StepKind, TextSpan, texts};
pub use point::{Armed, Catch, Caught, Point, PointAction, Watch, WatchAccess, Watched};
pub use printable::{printable, printable_json, printable_lines};
pub use process_set::ProcessSet;
pub use rank::{Rank, ThreadId, TransactionId};
pub use run_settings::{LibraryEvents, LibraryGlobs, LibraryMode, LibraryPolicy, RunSettings};
pub use scheduling::{Follow, Locking};
pub use set_text::SetTextError;
pub use signal::{Disposition, SIGNALS, SignalInfo, SignalName, SignalTable};
pub use state::{ProcessState, Stop, StopReason};
pub use tally::Tally;
