//! Executes actions, by the groups of the table of actions.

mod breakpoints;
mod debugger;
mod focus;
mod moves;
mod running;
mod values;
mod zooming;

use super::App;
use crate::action::{Action, Group};
use crate::effect::Effect;
use controller::State;

impl App {
    /// Performs an action and returns its effects.
    pub fn act(&mut self, action: Action, state: &State) -> Vec<Effect> {
        self.acted(action, state).unwrap_or_default()
    }

    /// Returns `None` if no group handles the action.
    fn acted(&mut self, action: Action, state: &State) -> Option<Vec<Effect>> {
        if let Some(view) = action.view() {
            self.view.go_to(view);
            return Some(Vec::new());
        }
        match action.row()?.group {
            Group::Run => running::act(&mut self.view, action, state),
            Group::Breakpoints => breakpoints::act(self, action, state),
            Group::Focus => focus::act(self, action, state),
            Group::Values => values::act(self, action, state),
            Group::Move => moves::act(self, action, state),
            Group::Debugger => debugger::act(self, action, state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ACTIONS;

    #[test]
    fn every_action_is_carried_out_by_its_group() {
        for row in ACTIONS {
            assert!(App::default().acted(row.action, &State::default()).is_some(), "{}", row.name);
        }
    }
}
