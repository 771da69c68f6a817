//! How a rank comes under its gdb: started, attached to, or handed over.

pub(super) mod adopt;
pub(super) mod attaching;
pub(super) mod launch;
pub(super) mod program;
