//! `tvconnect`: asks for a debugger from inside a batch job, waits for the answer, and becomes the master of the session.
//!
//! What it asks is in `request`, whom it asks and what it hears in `mailbox`, how long it waits in `wait`, what it
//! becomes in `hand_over`. It is one process with one thread and no runtime, since it is replaced by another program.

mod arguments;
mod dial;
mod fault;
mod hand_over;
mod key_file;
mod mailbox;
mod program;
mod request;
mod signals;
mod wait;

pub use arguments::Arguments;
pub use fault::{ConnectFault, UNREACHABLE};
pub use wait::run;

pub(super) use dial::dial_front_end;
pub(super) use key_file::take_key;
