//! Keys that act on the variable under the cursor.

use super::App;
use crate::controller::State;
use crate::ui::action::ViewId;
use crate::ui::effect::Effect;
use crate::ui::views::variables;

impl App {
    pub(super) fn expand(&mut self, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, &self.view);
        if let Some(row) = rows.get(self.view.variables.list.cursor).filter(|row| row.openable)
            && !self.view.variables.open.remove(&row.path)
        {
            self.view.variables.open.insert(row.path.clone());
        }
        Vec::new()
    }

    /// Types a command about the variable under the cursor.
    pub(super) fn type_about(&mut self, command: &str, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, &self.view);
        let row = rows.get(self.view.variables.list.cursor).filter(|_| self.view.current == ViewId::Variables);
        self.type_command(&format!("{command} {}", row.map_or("", |row| row.path.as_str())))
    }

    pub(super) fn undisplay(&mut self, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, &self.view);
        match rows.get(self.view.variables.list.cursor).and_then(|row| row.display) {
            Some(number) => self.run(&format!("undisplay {number}")),
            None => self.say("only what \"display\" added can be taken away; 6 goes to the breakpoints"),
        }
    }

    pub(super) fn assign(&mut self, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, &self.view);
        match rows.get(self.view.variables.list.cursor) {
            Some(row) => {
                let simple = row.value.as_ref().ok().filter(|text| !text.contains(['{', '"', '<', '\'']));
                let now = simple.map_or("", |text| text.as_str());
                self.type_command(&format!("set {} = {now}", row.path))
            }
            None => Vec::new(),
        }
    }
}
