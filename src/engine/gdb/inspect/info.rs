//! What gdb says of where it is, in its own words.

use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::state::Debuggee;
use model::{Answer, Context, Inquiry};

impl Debuggee {
    /// The words of gdb's own commands.
    pub(in crate::gdb) fn told_in_words(&mut self, context: Context, inquiry: &Inquiry) -> Result<Answer, GdbError> {
        self.select(context)?;
        let command = match inquiry {
            Inquiry::Frame => "info frame".to_owned(),
            Inquiry::Source => {
                // It counts the lines of what it has shown.
                self.link.ask(&Command::console("frame"))?;
                "info source".to_owned()
            }
            Inquiry::Scope(location) => format!("info scope {location}"),
        };
        let answered = self.link.ask(&Command::console(&command))?;
        Ok(Answer::Text(answered.words.trim_end().to_owned()))
    }
}
