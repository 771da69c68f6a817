//! Engines by their names: who debugs with one need not know what it is made of.

use crate::fake::FakeEngine;
use crate::gdb::{GdbEngine, GdbOptions};
use crate::native::{NativeEngine, NativeOptions};
use crate::{Engine, EngineFault, ReportSink};
use model::EngineName;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// What engines are given that depends on where this program is installed, and on its user.
#[derive(Clone, Debug, Default)]
pub struct EngineSetup {
    /// The words that start a process which does [`take_care`](crate::take_care) of its standard input.
    pub caretaker: Vec<OsString>,
    /// Another gdb than that of the path.
    pub gdb: Option<PathBuf>,
}

/// Starts an engine without ranks.
pub fn start(name: EngineName, setup: &EngineSetup, sink: ReportSink) -> Result<Arc<dyn Engine>, EngineFault> {
    Ok(match name {
        EngineName::Native => {
            let options = NativeOptions { caretaker: setup.caretaker.clone(), ..NativeOptions::default() };
            Arc::new(NativeEngine::start_with(options, sink)?)
        }
        EngineName::Gdb => {
            let defaults = GdbOptions::default();
            let path = setup.gdb.clone().unwrap_or(defaults.path);
            Arc::new(GdbEngine::start(GdbOptions { path, ..defaults }, sink)?)
        }
        EngineName::Fake => Arc::new(FakeEngine::start(sink)),
    })
}
