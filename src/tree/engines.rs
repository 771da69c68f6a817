//! The engines a server can be started with.

use super::arguments::EngineKind;
use crate::engine::{Engine, EngineFault, ReportSink};

/// Starts an engine.
pub fn start(kind: EngineKind, sink: ReportSink) -> Result<Box<dyn Engine>, EngineFault> {
    match kind {
        EngineKind::Native | EngineKind::Fake => {
            drop(sink);
            Err(EngineFault(format!("the {} engine is not part of this build", kind.word())))
        }
    }
}
