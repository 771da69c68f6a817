//! What operators do with the arrays and texts of Fortran, which are no pointers there.

use super::EvalError;
use super::arithmetic::truth;
use super::evaluator::{Evaluator, error};
use super::operand::dereferenced;
use super::resolve::stripped;
use super::sections::is_text;
use super::syntax::{BinaryOperator, Node};
use super::value::Value;
use crate::engine::native::types::{Kind, Surroundings};
use crate::model::aif::Spelling;

impl Evaluator<'_> {
    /// An operator of which one side is an array: texts can be compared, of the rest nothing can be computed. `None`: it
    /// is one of numbers.
    pub(super) fn of_arrays(
        &self,
        operator: BinaryOperator,
        left: &Node,
        right: &Node,
    ) -> Result<Option<Value>, EvalError> {
        let s = &self.surroundings;
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
