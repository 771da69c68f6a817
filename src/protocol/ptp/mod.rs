//! The base dialect: the debugger protocol of PTP 4.x as it was really spoken (wire, sections 1–3), with the messages
//! of PTP 2.x that are read.

mod bridge;
mod command;
mod event;
mod field;
mod memory;
mod partial;
mod partition;
mod plain;
mod record;
mod session;
mod set;
mod translate_answer;
mod translate_command;
mod translate_record;

pub use bridge::{BridgeError, serve_base_client};
pub use command::{BaseCommand, RankCommand};
pub use event::{BaseEvent, Ending, Era, OldEvent, RankEvent, Suspension};
pub use plain::{PlainError, PlainListener, dial_plain};
pub use record::{BaseBreakpoint, BaseFrame, BaseLocation, BaseSignal, MemoryRow};
pub use session::{BaseSession, Outcome};
pub use set::BaseSet;

#[cfg(test)]
pub(crate) mod examples;
#[cfg(test)]
mod tests;
