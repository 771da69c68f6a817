//! How the program is started: as the command line gave it, and with changes for the next start.

use crate::command::GivenArguments;
use model::StartChanges;
use protocol::LaunchPlan;
use serde::{Deserialize, Serialize};

/// The start of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProgramStart {
    /// The arguments of the command line.
    pub arguments: Vec<String>,
    /// The working directory of the command line; `None`: that of the shell.
    pub directory: Option<String>,
    /// The changes for the next start.
    pub changes: StartChanges,
    /// Those of the last one.
    #[serde(skip)]
    applied: StartChanges,
}

impl ProgramStart {
    /// Returns the start that a plan describes.
    pub fn of_plan(plan: &mut LaunchPlan) -> Self {
        let spec = plan.spec_mut();
        let (arguments, directory) = (spec.arguments.clone(), spec.directory.clone());
        Self { arguments, directory, ..Self::default() }
    }

    /// Returns the arguments of the next start, and the file that a command has named as its input.
    pub fn next(&self) -> GivenArguments {
        let words = self.changes.arguments.as_ref().unwrap_or(&self.arguments).clone();
        GivenArguments { words, input: self.changes.input.clone() }
    }

    /// Records a start with all changes.
    pub fn begins(&mut self) {
        self.applied.clone_from(&self.changes);
    }

    /// True if the next start would differ from the last one.
    pub fn is_changed(&self) -> bool {
        self.changes != self.applied
    }

    /// Changes the arguments and the input of the next start.
    pub fn give(&mut self, given: GivenArguments) {
        self.changes.arguments = Some(given.words);
        self.changes.input = given.input;
    }
}
