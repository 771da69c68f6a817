//! The engines a server can have.

use super::arguments::{EngineChoice, EngineKind};
use super::own_program::{caretaker_words, queue_library_words};
use engine::{EngineFault, EngineSetup, Engines, OutputPace, ReportSink};
use model::EngineName;

/// Returns the engine setup of this program, with its helper processes and no particular gdb.
pub fn setup() -> EngineSetup {
    EngineSetup {
        caretaker: caretaker_words(),
        queue_library: queue_library_words(),
        gdb: None,
        output: OutputPace::default(),
    }
}

/// Starts the engine of a server; others follow when a rank is handed to them.
pub fn start(choice: EngineChoice, sink: ReportSink, output: OutputPace) -> Result<Engines, EngineFault> {
    let setup = EngineSetup { gdb: choice.gdb, output, ..setup() };
    Engines::start(choice.kind.name(), move |name, sink| engine::start(name, &setup, sink), sink)
}

impl EngineKind {
    /// Returns the engine's name as requests and reports give it.
    pub fn name(self) -> EngineName {
        match self {
            Self::Native => EngineName::Native,
            Self::Gdb => EngineName::Gdb,
            Self::Fake => EngineName::Fake,
            Self::Core => EngineName::Core,
        }
    }
}
