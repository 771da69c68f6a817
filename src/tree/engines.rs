//! The engines a server can be started with.

use super::arguments::EngineKind;
use crate::engine::fake::FakeEngine;
use crate::engine::native::NativeEngine;
use crate::engine::{Engine, EngineFault, ReportSink};

/// Starts an engine.
pub fn start(kind: EngineKind, sink: ReportSink) -> Result<Box<dyn Engine>, EngineFault> {
    Ok(match kind {
        EngineKind::Native => Box::new(NativeEngine::start(sink)?),
        EngineKind::Fake => Box::new(FakeEngine::start(sink)),
    })
}
