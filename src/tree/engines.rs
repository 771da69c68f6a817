//! The engines a server can be started with.

use super::arguments::{EngineChoice, EngineKind};
use crate::engine::fake::FakeEngine;
use crate::engine::gdb::{GdbEngine, GdbOptions};
use crate::engine::native::NativeEngine;
use crate::engine::{Engine, EngineFault, ReportSink};

/// Starts an engine.
pub fn start(choice: EngineChoice, sink: ReportSink) -> Result<Box<dyn Engine>, EngineFault> {
    Ok(match choice.kind {
        EngineKind::Native => Box::new(NativeEngine::start(sink)?),
        EngineKind::Gdb => {
            let defaults = GdbOptions::default();
            Box::new(GdbEngine::start(GdbOptions { path: choice.gdb.unwrap_or(defaults.path), ..defaults }, sink)?)
        }
        EngineKind::Fake => Box::new(FakeEngine::start(sink)),
    })
}
