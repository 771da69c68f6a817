//! Sets `$_` and `$__` after `x`, by letting gdb repeat the last examination.

use super::queries::Inspector;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use model::{Answer, Examination, VirtualAddress};

impl Inspector<'_> {
    /// Repeats the last unit of an examination in gdb.
    pub(super) fn note_examined(&mut self, examined: Option<Examination>, answer: &Answer) -> Result<(), GdbError> {
        let (Some(examined), Answer::Memory(start, bytes)) = (examined, answer) else { return Ok(()) };
        let Some(last) = examined.last(bytes) else { return Ok(()) };
        let at = VirtualAddress(start.0.wrapping_add(last as u64));
        let form = match examined {
            Examination::Place => {
                let command = Command::console(&format!("set var $_ = (void *) {at}"));
                return self.gdb.ask_if_known(&command).map(drop);
            }
            Examination::Units(1) => "xb",
            Examination::Units(2) => "xh",
            Examination::Units(8) => "xg",
            Examination::Units(_) => "xw",
            Examination::Texts { unit: 2, .. } => "sh",
            Examination::Texts { unit: 4, .. } => "sw",
            Examination::Texts { .. } => "sb",
        };
        self.examine_one(form, at)
    }

    /// Examines one unit in gdb. If it has become unreadable, the variables stay as they were.
    pub(super) fn examine_one(&mut self, form: &str, at: VirtualAddress) -> Result<(), GdbError> {
        self.gdb.ask_if_known(&Command::console(&format!("x/1{form} {at}"))).map(drop)
    }
}
