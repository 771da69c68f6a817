//! The queue library of an MPI (MPI Forum, "MPIR message queue dumping", version 1.0), loaded in a process of its own,
//! which asks for what it needs of a stopped rank.

mod callbacks;
mod collect;
mod conversation;
mod fault;
mod interface;
mod library;
mod location;
mod process;
mod reader;

pub use process::serve_queue_library;

pub(crate) use fault::QueueFault;
pub(crate) use location::named_library;
pub(crate) use reader::{Program, QueueReader, QueueReaders, Subject};
