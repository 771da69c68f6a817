//! ptrace(2): processes, threads, memory and registers, without symbols.
//!
//! Only the thread that seized a process may use this, except [`Waker`] and [`Memory`], which any thread may use.

mod address_space;
mod attach;
mod debug_registers;
mod displaced_stepping;
mod fork;
pub(super) mod fpu;
mod inserted_breakpoints;
mod interruptible_wait;
mod launch;
mod leftover_breakpoints;
mod memory_prefetch;
mod observation;
mod process;
mod requests;
mod resume;
mod saved_thread;
mod sigtrap;
mod slots;
mod system_calls;
mod thread;
mod threads;
pub(super) mod tracer_death;
mod tracer_handoff;
mod waker;

pub use crate::process::memory::Memory;
pub use address_space::{AddressSpace, operand};
pub use attach::{Seized, seize_running};
pub use debug_registers::{Access, DebugRegisters, Region, regions};
pub use displaced_stepping::{LONGEST, decode, is_call};
pub use fpu::handling::handle_fpu_trap;
pub use fpu::masks::Unmasked;
pub use fpu::thread_fpu::mask_again;
pub use fpu::trap::FpuTrap;
#[cfg(test)]
pub use inserted_breakpoints::TRAP;
pub use inserted_breakpoints::take_out_trap;
pub use launch::{LaunchError, LaunchFailure, Launched, Program, launch};
pub use leftover_breakpoints::take_out_leftover_breakpoints;
pub use memory_prefetch::{Fetched, MemoryPrefetch};
pub use observation::Observation;
pub use process::Process;
pub use requests::{
    Status, Tid, call_off, extended_state, float_registers, is_leaving, new_child, pass_on, poll_status, seize,
    set_extended_state, set_float_registers, signal_bytes, stop_signal,
};
pub use resume::takes_debug_registers_late;
pub use saved_thread::SavedThread;
pub use thread::{Activity, Pace, Thread};
pub use tracer_handoff::{Signals, Untaken};
pub use waker::{WaitPoint, Waker};
