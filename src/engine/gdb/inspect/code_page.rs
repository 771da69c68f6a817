//! Pages of instructions, disassembled by gdb.

use super::instructions::{InstructionTold, MOST};
use super::queries::{Inspector, declined};
use crate::gdb::session::fault::{GdbError, failure};
use model::{Answer, Context, VirtualAddress};

impl Inspector<'_> {
    /// Disassembles `before` instructions before an address and `count` from it on; `None`: that of the frame.
    pub(super) fn code_page(
        &mut self,
        context: Context,
        (at, before, count): (Option<VirtualAddress>, u32, u32),
    ) -> Result<Answer, GdbError> {
        if !self.gdb.has_python() {
            return Ok(declined());
        }
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let at = at.map_or_else(|| "None".to_owned(), |at| at.0.to_string());
        let (before, count) = (before.min(MOST), count.min(MOST));
        let call = format!("code_page({thread}, {}, {at}, {before}, {count})", context.frame);
        match self.gdb.script::<Vec<InstructionTold>>(&call)? {
            Ok(told) => Ok(Answer::Instructions(told.into_iter().map(|told| self.instruction(told)).collect())),
            Err(why) => Ok(Answer::Failed(failure(&why))),
        }
    }
}
