//! Observes a thread through gdb: whether it gets any further.

use super::queries::Inspector;
use crate::gdb::session::fault::GdbError;
use model::{Answer, Context, Observation};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The part of the stack that shows whether a thread gets any further.
const STACK_BYTES: u32 = 4096;
const PRESERVED: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

impl Inspector<'_> {
    pub(super) fn observe(&mut self, context: Context) -> Result<Answer, GdbError> {
        let mut hasher = DefaultHasher::new();
        let stack = self.read_memory(context, "$sp", 0, STACK_BYTES)?;
        let registers = self.registers(context, &PRESERVED.map(str::to_owned))?;
        (&stack, &registers).hash(&mut hasher);
        let fingerprint = matches!(stack, Answer::Memory(..)).then(|| hasher.finish());
        Ok(Answer::Observed(Box::new(Observation { fingerprint, ..Observation::default() })))
    }
}
