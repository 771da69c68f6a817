//! The engines a server can have.

use super::arguments::{EngineChoice, EngineKind};
use super::own_program::caretaker_words;
use engine::fake::FakeEngine;
use engine::gdb::{GdbEngine, GdbOptions};
use engine::native::{NativeEngine, NativeOptions};
use engine::{Engine, EngineFault, Engines, ReportSink};
use model::EngineName;
use std::sync::Arc;

/// The native engine's.
pub fn native_options() -> NativeOptions {
    NativeOptions { caretaker: caretaker_words(), ..NativeOptions::default() }
}

/// Starts the engine of a server; others follow when a rank is handed to them.
pub fn start(choice: EngineChoice, sink: ReportSink) -> Result<Engines, EngineFault> {
    let own = choice.kind.name();
    let make = move |name: EngineName, sink: ReportSink| -> Result<Arc<dyn Engine>, EngineFault> {
        Ok(match name {
            EngineName::Native => Arc::new(NativeEngine::start_with(native_options(), sink)?),
            EngineName::Gdb => {
                let defaults = GdbOptions::default();
                let path = choice.gdb.clone().unwrap_or(defaults.path);
                Arc::new(GdbEngine::start(GdbOptions { path, ..defaults }, sink)?)
            }
            EngineName::Fake => Arc::new(FakeEngine::start(sink)),
        })
    };
    Engines::start(own, make, sink)
}

impl EngineKind {
    /// Its name.
    pub fn name(self) -> EngineName {
        match self {
            Self::Native => EngineName::Native,
            Self::Gdb => EngineName::Gdb,
            Self::Fake => EngineName::Fake,
        }
    }
}
