//! The parts of a rank under gdb.

use crate::gdb::breakpoints::table::BreakpointTable;
use crate::gdb::inferior::signals::Signals;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::queries::Inspector;
use crate::gdb::inspect::values::Values;
use crate::gdb::libraries::Libraries;
use crate::gdb::messages::Surrounding;
use crate::gdb::reporter::{End, Reporter};
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::stop_words::StopWords;
use crate::gdb::startup::first_stop::Startup;
use crate::gdb::stepping::Stepper;
use model::LaunchSpec;

pub(super) struct Debuggee {
    pub(super) reporter: Reporter,
    pub(super) gdb: Gdb,
    /// The launch specification, with the current settings.
    pub(super) spec: LaunchSpec,
    pub(super) inferior: InferiorState,
    pub(super) signals: Signals,
    pub(super) values: Values,
    pub(super) breakpoints: BreakpointTable,
    pub(super) libraries: Libraries,
    pub(super) startup: Startup,
    pub(super) stepper: Stepper,
    pub(super) words: StopWords,
    /// The rank's end, to be reported after the current answer.
    pub(super) ending: Option<End>,
}

impl Debuggee {
    /// Creates a rank whose gdb has no program yet.
    pub(super) fn new(surrounding: Surrounding, gdb: Gdb, spec: LaunchSpec) -> Self {
        Self {
            reporter: Reporter::new(surrounding),
            gdb,
            spec,
            inferior: InferiorState::new(),
            signals: Signals::default(),
            values: Values::default(),
            breakpoints: BreakpointTable::default(),
            libraries: Libraries::default(),
            startup: Startup::new(),
            stepper: Stepper::new(),
            words: StopWords::default(),
            ending: None,
        }
    }

    pub(super) fn inspector(&mut self) -> Inspector<'_> {
        Inspector::new(&mut self.gdb, &mut self.inferior, &mut self.values, &self.spec)
    }
}
