//! Types, frames, source files and scopes, as gdb prints them.

use super::queries::Inspector;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::{GdbError, failure_in};
use model::{Answer, Context, Inquiry, LAYOUT_HEADING, TypeDetail, TypePart};

impl Inspector<'_> {
    pub(super) fn type_of(
        &mut self,
        context: Context,
        expression: &str,
        detail: TypeDetail,
    ) -> Result<Answer, GdbError> {
        if self.inferior.is_stopped() {
            self.inferior.select(self.gdb, context)?;
        }
        let word = match detail {
            TypeDetail::Part(TypePart { no_methods, no_typedefs, raw }) => {
                let flags = [(no_methods, "m"), (no_typedefs, "t"), (raw, "r")];
                let flags: String = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect();
                &format!("ptype/{flags}")
            }
            TypeDetail::RawName => "whatis/r",
            TypeDetail::Name => "whatis",
            TypeDetail::Members => "ptype",
            TypeDetail::Layout { hexadecimal: false } => "ptype/o",
            TypeDetail::Layout { hexadecimal: true } => "ptype/ox",
        };
        match self.gdb.ask(&Command::console(&format!("{word} {expression}"))) {
            Ok(answered) => {
                let text = answered.words.trim_end();
                let text = text.strip_prefix(LAYOUT_HEADING).map_or(text, str::trim_start);
                Ok(Answer::Type(text.strip_prefix("type = ").unwrap_or(text).to_owned()))
            }
            Err(GdbError::Refused(why)) => Ok(Answer::Failed(failure_in(expression, &why))),
            Err(gone) => Err(gone),
        }
    }

    /// Answers with the output of gdb's own commands.
    pub(super) fn told_in_words(&mut self, context: Context, inquiry: &Inquiry) -> Result<Answer, GdbError> {
        self.inferior.select(self.gdb, context)?;
        let command = match inquiry {
            Inquiry::Frame => "info frame".to_owned(),
            Inquiry::Source => {
                // `info source` gives the number of lines only of a file that has been shown.
                self.gdb.ask(&Command::console("frame"))?;
                "info source".to_owned()
            }
            Inquiry::SourceAt(location) => {
                self.gdb.ask(&Command::console(&format!("list {location}")))?;
                "info source".to_owned()
            }
            Inquiry::Scope(location) => format!("info scope {location}"),
            Inquiry::VirtualTables(expression) => format!("info vtbl {expression}"),
            Inquiry::Address(name) => format!("info address {name}"),
        };
        let answered = self.gdb.ask(&Command::console(&command))?;
        Ok(Answer::Text(answered.words.trim_end().to_owned()))
    }
}
