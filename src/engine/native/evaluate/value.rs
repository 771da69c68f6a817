//! What an expression came to.

use super::EvalError;
use crate::engine::native::types::{NamedValue, Place, Surroundings, TypeRef};
use crate::model::{Datum, ErrorCode, Variable, VariableValue, VirtualAddress};

/// A value with its type: where it is, or its bytes. Memory is read when the value is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    ty: TypeRef,
    place: Place,
}

impl Value {
    /// A value at a place.
    pub fn new(ty: TypeRef, place: Place) -> Self {
        Self { ty, place }
    }

    /// Its type.
    pub fn ty(&self) -> &TypeRef {
        &self.ty
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The value as it travels, as gdb's `print` would read it.
    pub fn to_datum(&self, _surroundings: &dyn Surroundings) -> Result<Datum, EvalError> {
        Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, "Values cannot be shown yet."))
    }

    /// What it points to; integers count as addresses, arrays and functions as where they are.
    pub fn as_address(&self, _surroundings: &dyn Surroundings) -> Result<VirtualAddress, EvalError> {
        Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, "Values cannot be read yet."))
    }

    /// Whether it is not zero.
    pub fn as_bool(&self, _surroundings: &dyn Surroundings) -> Result<bool, EvalError> {
        Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, "Values cannot be read yet."))
    }
}

/// A variable of the frame, as it travels; what cannot be read says why.
pub fn named_to_variable(named: &NamedValue, surroundings: &dyn Surroundings) -> Variable {
    let type_name = super::type_name(&named.ty, surroundings);
    let value = match &named.place {
        Err(why) => VariableValue::Unknown { why: why.clone(), type_name },
        Ok(place) => match Value::new(named.ty.clone(), place.clone()).to_datum(surroundings) {
            Ok(datum) => VariableValue::Known(datum),
            Err(error) => VariableValue::Unknown { why: format!("error: {error}"), type_name },
        },
    };
    Variable { name: named.name.to_string(), value }
}
