//! The engines a server can be started with.

use super::arguments::EngineKind;
use crate::engine::fake::FakeEngine;
use crate::engine::{Engine, EngineFault, ReportSink};

/// Starts an engine.
pub fn start(kind: EngineKind, sink: ReportSink) -> Result<Box<dyn Engine>, EngineFault> {
    match kind {
        EngineKind::Fake => Ok(Box::new(FakeEngine::start(sink))),
        EngineKind::Native => Err(EngineFault("the native engine is not part of this build".to_owned())),
    }
}
