//! `tvconnect`: requests a debugger from inside a batch job, waits for an answer, and becomes the master of the
//! session.
//!
//! `request` builds the request, `mailbox` posts it and reads the answer, `wait` limits the waiting time, `hand_over`
//! becomes the master. It is one process with one thread and no runtime, since another program replaces it.

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
