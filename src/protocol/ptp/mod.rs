//! The base dialect: PTP 4.x's debugger protocol as its programs spoke it (wire, sections 1–3), and reading the
//! messages of PTP 2.x.

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
