//! What operators do with the arrays and texts of Fortran, which are no pointers there.

use super::sections::is_text;
use crate::EvalError;
use crate::eval::arithmetic::truth;
use crate::eval::evaluator::{Evaluator, error};
use crate::eval::operand::{Operand, complex_value, dereferenced};
use crate::syntax::tree::{BinaryOperator, Node};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Encoding, Kind, Type, TypeRef};
use model::aif::Spelling;
use std::sync::Arc;

/// Bytes of a part of the widest complex number.
const WIDEST: u32 = 16;

impl Evaluator<'_> {
    /// `(1.5, 2)`, a complex number; of the widest kind that there is, as in gdb.
    pub(crate) fn complex_number(&self, real: &Node, imaginary: &Node) -> Result<Value, EvalError> {
        let part = |node: &Node| match self.operand(node)? {
            Operand::Complex { .. } => Err(error("The parts of a complex number are real numbers.").at(node.position)),
            other => other.as_real().ok_or_else(|| error("The parts of a complex number are real numbers.")),
        };
        let value = complex_value(part(real)?, part(imaginary)?, WIDEST);
        let kind = Kind::Base(Encoding::Complex);
        let ty = Type { name: Some("complex*16".into()), size: Some(2 * u64::from(WIDEST)), kind };
        Ok(value.retyped(TypeRef::Made(Arc::new(ty))))
    }

    /// An operator of which one side is an array: texts can be compared, of the rest nothing can be computed. `None`: it
    /// is one of numbers.
    pub(crate) fn of_arrays(
        &self,
        operator: BinaryOperator,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Value>, EvalError> {
        let s = &self.context;
        if s.spelling() != Some(Spelling::Fortran) {
            return Ok(None);
        }
        let (left, right) = (dereferenced(&self.value(left)?, s)?, dereferenced(&self.value(right)?, s)?);
        let is_array = |value: &Value| matches!(stripped(value.ty(), s).1.kind, Kind::Array { .. });
        if !is_array(&left) && !is_array(&right) {
            return Ok(None);
        }
        let equal = match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual if is_text(left.ty(), s) && is_text(right.ty(), s) => {
                left.raw_bytes(s)? == right.raw_bytes(s)?
            }
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                return Err(error("Invalid type combination in equality test."));
            }
            _ => return Err(error("Argument to arithmetic operation not a number or boolean.")),
        };
        Ok(Some(truth(equal == (operator == BinaryOperator::Equal), s)))
    }
}
