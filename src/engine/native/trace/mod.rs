//! Processes and threads under ptrace(2): no symbols here.
//!
//! All of it belongs to the one thread that seized, but for [`Waker`] and [`Memory`], which any thread may use.

mod attach;
mod call;
mod debug_registers;
mod displaced;
mod forbidden;
mod foresight;
mod fork;
mod hand;
mod interruptible;
mod launch;
mod memory;
mod process;
mod resume;
mod room;
mod saved;
mod sites;
mod slots;
mod strays;
mod thread;
mod trapped;
mod waker;

pub use attach::{Seized, seize_running};
pub use call::{
    Status, Tid, call_off, extended_state, float_registers, is_leaving, new_child, pass_on, poll_status, seize,
    send as send_signal, set_extended_state, set_float_registers, signal_bytes,
};
pub use debug_registers::{Access, DebugRegisters, Region, regions};
pub use displaced::{LONGEST, decode, is_call};
pub use forbidden::{forbidden, objection};
pub use foresight::{Fetched, Foresight};
pub use hand::{Signals, Untaken};
pub use launch::{LaunchError, LaunchFailure, Launched, Program, launch};
pub use memory::{Mapping, Memory, mappings};
pub use process::{Observation, Process};
pub use saved::SavedThread;
pub use sites::TRAP;
pub use thread::{Activity, Pace, Thread};
pub use waker::{WaitPoint, Waker};
