//! Expressions kept in sight: the screen shows them at every stop, scripts ask for them.

use super::run::Target;
use super::task::Then;
use super::{CommandId, Controller};
use crate::model::{Operation, ProcessSet};

impl Controller {
    /// Keeps an expression in sight and shows it; without one, shows all.
    pub(super) fn display(&mut self, id: CommandId, target: Target, expression: Option<String>) {
        let (added, shown): (_, Vec<String>) = match expression {
            Some(expression) => (self.state.displays.add(&expression), vec![expression]),
            None => (None, self.state.displays.iter().map(|(_, expression)| expression.to_owned()).collect()),
        };
        // Kept for later stops, which is all that can be done now.
        if shown.is_empty() || target.ranks.intersection(&self.at_rest()).is_empty() {
            return self.done(id);
        }
        let context = self.context(&target);
        let evaluate = |expression: &String| Operation::Evaluate { context, expression: expression.clone() };
        let operations = shown.iter().map(evaluate).collect();
        self.ask_all_stopped(id, target, operations, Then::Displays(shown, added));
    }

    /// No longer keeps expressions in sight; no number: none of them.
    pub(super) fn undisplay(&mut self, id: CommandId, numbers: Vec<u32>) {
        if numbers.is_empty() {
            self.state.displays.clear();
        }
        for number in numbers {
            if !self.state.displays.remove(number) {
                let position = self.position_in_line(id, &number.to_string(), Some(0));
                let why = format!("no expression {number} is displayed");
                self.error(id, ProcessSet::new(), why, position);
            }
        }
        self.done(id);
    }
}
