//! Traces attached processes in a process of its own, which survives a killed server and removes the breakpoints. When
//! a tracer is killed, the kernel lets its processes continue at once with the breakpoints in their code, and the first
//! thread to reach one ends its process.
//!
//! `tracer` is that process, `link` the engine that a server has in it, `engines` combines this engine with the
//! server's own.

mod engines;
mod link;
mod tracer;

pub(super) use engines::ServerEngines;
pub(super) use tracer::run;
