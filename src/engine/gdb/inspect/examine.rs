//! Reads and writes the program's memory.

use super::queries::Inspector;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::{GdbError, failure};
use model::{Answer, Context, ErrorCode, VirtualAddress};

impl Inspector<'_> {
    /// Evaluates an address expression, and adds an offset.
    pub(super) fn address(
        &mut self,
        context: Context,
        expression: &str,
        offset: i64,
    ) -> Result<VirtualAddress, GdbError> {
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        // The subtraction converts arrays and pointers to a number without a cast, which only C has.
        let command = Command::new("data-read-memory-bytes").word("--thread").word(thread);
        let command = command.word("--frame").word(context.frame).word(expression).word(1);
        let start = match self.gdb.ask(&command) {
            Ok(answered) => {
                let memory = answered.results.inside("memory").and_then(|memory| memory.parts().next().cloned());
                memory.and_then(|part| part.number("begin"))
            }
            Err(GdbError::Refused(why)) if failure(&why).code == ErrorCode::MEMORY => None,
            Err(error) => return Err(error),
        };
        match start {
            Some(start) => Ok(VirtualAddress(start.wrapping_add_signed(offset))),
            // gdb gives no address if the memory there is unreadable.
            None => {
                let command = Command::new("data-evaluate-expression").word("--thread").word(thread);
                let command = command.word("--frame").word(context.frame);
                let answered = self.gdb.ask(&command.word(format!("(unsigned long)({expression})")))?;
                let start = answered.results.number("value").unwrap_or(0);
                Ok(VirtualAddress(start.wrapping_add_signed(offset)))
            }
        }
    }

    pub(super) fn read_memory(
        &mut self,
        context: Context,
        expression: &str,
        offset: i64,
        length: u32,
    ) -> Result<Answer, GdbError> {
        let start = self.address(context, expression, offset)?;
        let fault = || GdbError::Refused(format!("Cannot access memory at address {start}"));
        let command = Command::new("data-read-memory-bytes").word(start).word(length);
        let results = match self.gdb.ask(&command) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(_)) => return Err(fault()),
            Err(gone) => return Err(gone),
        };
        let first = results.inside("memory").and_then(|memory| memory.parts().next());
        let first = first.filter(|part| part.number("begin") == Some(start.0));
        let bytes = first.and_then(|part| model::aif::from_hex(part.text("contents")?));
        bytes.map(|bytes| Answer::Memory(start, bytes)).ok_or_else(fault)
    }

    pub(super) fn write_memory(
        &mut self,
        context: Context,
        expression: &str,
        offset: i64,
        data: &[u8],
    ) -> Result<Answer, GdbError> {
        let start = self.address(context, expression, offset)?;
        let digits = model::aif::to_hex(data);
        match self.gdb.ask(&Command::new("data-write-memory-bytes").word(start).word(digits)) {
            Ok(_) => Ok(Answer::Ok),
            Err(GdbError::Refused(_)) => Err(GdbError::Refused(format!("Cannot access memory at address {start}"))),
            Err(gone) => Err(gone),
        }
    }
}
