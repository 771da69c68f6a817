//! Converts the variables of a frame to AIF.

use crate::context::EvalContext;
use crate::types::stripped;
use crate::value::{SYNTHETIC, Value};
use debuginfo::types::{Kind, NamedValue, Place};
use model::{Variable, VariableValue};

/// Converts a variable of the frame for a reply; one that cannot be read becomes the error text.
pub fn named_to_variable(named: &NamedValue, context: &EvalContext<'_>) -> Variable {
    let type_name = context.type_name(&named.ty);
    let value = match &named.place {
        Err(why) => VariableValue::Unknown { why: why.clone(), type_name },
        Ok(Place::Synthetic(..)) => VariableValue::Unknown { why: SYNTHETIC.to_owned(), type_name },
        Ok(Place::OptimizedOut) => VariableValue::Unknown { why: "optimized out".to_owned(), type_name },
        Ok(place) => match Value::new(named.ty.clone(), place.clone()).to_datum(context) {
            Ok(datum) => VariableValue::Known(datum),
            Err(error) => {
                let refers = matches!(stripped(&named.ty, context).1.kind, Kind::Reference(..));
                let why = if refers && context.language().has_references() {
                    format!("error reading variable: {error}")
                } else {
                    format!("error reading variable {} ({error})", named.name)
                };
                VariableValue::Unknown { why, type_name }
            }
        },
    };
    Variable { name: named.name.to_string(), value }
}
