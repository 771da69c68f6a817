//! Starts engines by name.

use crate::core::CoreEngine;
use crate::fake::FakeEngine;
use crate::gdb::{GdbEngine, GdbOptions};
use crate::native::{NativeEngine, NativeOptions};
use crate::{Engine, EngineFault, OutputPace, ReportSink};
use model::EngineName;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Settings of engines that depend on the installation and the user.
#[derive(Clone, Debug, Default)]
pub struct EngineSetup {
    /// The command line of a process that runs [`take_care`](crate::take_care) on its standard input.
    pub caretaker: Vec<OsString>,
    /// The command line of a process that runs [`serve_queue_library`](crate::serve_queue_library).
    pub queue_library: Vec<OsString>,
    /// A gdb to use instead of the first one in `PATH`.
    pub gdb: Option<PathBuf>,
    /// Limits the output that is reported and not taken yet.
    pub output: OutputPace,
}

/// Starts an engine without ranks.
pub fn start(name: EngineName, setup: &EngineSetup, sink: ReportSink) -> Result<Arc<dyn Engine>, EngineFault> {
    Ok(match name {
        EngineName::Native => {
            let (caretaker, queue_library) = (setup.caretaker.clone(), setup.queue_library.clone());
            let output = setup.output.clone();
            let options = NativeOptions { caretaker, queue_library, output, ..NativeOptions::default() };
            Arc::new(NativeEngine::start_with(options, sink)?)
        }
        EngineName::Gdb => {
            let defaults = GdbOptions::default();
            let path = setup.gdb.clone().unwrap_or(defaults.path);
            Arc::new(GdbEngine::start(GdbOptions { path, output: setup.output.clone(), ..defaults }, sink)?)
        }
        EngineName::Fake => Arc::new(FakeEngine::start(sink)?),
        EngineName::Core => Arc::new(CoreEngine::start(setup.queue_library.clone(), sink)?),
    })
}
