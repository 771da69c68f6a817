//! Brings a rank under gdb: launch, attach, or handover from another engine.

pub(super) mod adopt;
pub(super) mod attaching;
pub(super) mod launch;
pub(super) mod program;
