//! Answers questions about a stopped thread with gdb.

pub(super) mod globals;
pub(super) mod info;
pub(super) mod instructions;
pub(super) mod last_examined;
pub(super) mod many_threads;
pub(super) mod places;
pub(super) mod printed_children;
pub(super) mod queries;
pub(super) mod script_answers;
pub(super) mod values;
