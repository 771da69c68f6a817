//! Values as addresses and as booleans.

use super::operand::Operand;
use crate::EvalError;
use crate::context::EvalContext;
use crate::value::Value;
use model::{ErrorCode, VirtualAddress};

impl Value {
    /// Returns the address it points to; integers count as addresses, arrays and functions stand for their own.
    pub fn as_address(&self, context: &EvalContext<'_>) -> Result<VirtualAddress, EvalError> {
        match Operand::of(self, context)? {
            Operand::Integer { value, .. } => Ok(VirtualAddress(value as u64)),
            Operand::Pointer { address, .. } => Ok(VirtualAddress(address)),
            Operand::Float { .. } | Operand::Complex { .. } => {
                Err(EvalError::new(ErrorCode::DEBUGGER, "Value can't be converted to integer."))
            }
        }
    }

    /// True if it is not zero.
    pub fn as_bool(&self, context: &EvalContext<'_>) -> Result<bool, EvalError> {
        Ok(Operand::of(self, context)?.is_true())
    }
}
