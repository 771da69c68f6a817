//! Methods and operators of types with printers, computed from what their rules say, without a call: `size()`, `[]`, `*`
//! and `->`.

use super::rule::{Body, Children, Rule, Walk};
use super::scope::{Local, Scope};
use super::walk::{number, plain_array};
use crate::EvalError;
use crate::error::error;
use crate::eval::access::{index, pointed_object};
use crate::eval::operand::{Operand, integer_value};
use crate::printers::element_storage::array_of_elements;
use crate::printers::printer_members::PrinterMembers;
use crate::types::size_of;
use crate::value::Value;
use debuginfo::types::builtin::Builtin;

impl Rule {
    /// Returns the children if each index has one and expressions only say where they are.
    fn indexed(&self) -> Option<&Children> {
        let Body::Parts(_, Some(children)) = &self.body else { return None };
        let is_plain = children.when.is_none() && children.chain.is_none() && children.key.is_none();
        (is_plain && children.value.is_none()).then_some(children)
    }

    pub(super) fn method(
        &self,
        scope: &Scope<'_>,
        method: &str,
        arguments: &[Value],
    ) -> Result<Option<Value>, EvalError> {
        let context = scope.context();
        match (method, arguments) {
            ("size" | "empty", []) => {
                let Some(count) = self.count(scope)? else { return Ok(None) };
                Ok(Some(if method == "size" {
                    integer_value(i128::from(count), Builtin::UnsignedLong)
                } else {
                    integer_value(i128::from(count == 0), Builtin::CplusplusBool)
                }))
            }
            ("operator[]" | "at", [at]) => {
                let Operand::Integer { value: number, .. } = Operand::of(at, &context)? else { return Ok(None) };
                if let Body::Shown(shown) = &self.body {
                    return index(&shown.evaluate(&context)?, &Operand::of(at, &context)?, &context).map(Some);
                }
                if method == "at"
                    && let Some(count) = self.count(scope)?
                    && !(0..i128::from(count)).contains(&number)
                {
                    return Err(error(format!("Index {number} is out of range for this value of size {count}.")));
                }
                self.nth(scope, number)
            }
            ("front", []) => self.nth(scope, 0),
            ("back", []) => match self.count(scope)? {
                Some(count) if count > 0 => self.nth(scope, i128::from(count) - 1),
                _ => Ok(None),
            },
            ("get" | "operator->" | "operator*", []) => {
                let Some(pointer) = &self.pointer else { return Ok(None) };
                let pointer = pointer.evaluate(&context)?;
                if method == "operator*" { pointed_object(&pointer, &context).map(Some) } else { Ok(Some(pointer)) }
            }
            _ => Ok(None),
        }
    }

    /// Returns the number of children, if the rule says it.
    fn count(&self, scope: &Scope<'_>) -> Result<Option<u64>, EvalError> {
        let Body::Parts(_, Some(children)) = &self.body else { return Ok(None) };
        if children.when.is_some() || children.chain.is_some() {
            return Ok(None);
        }
        match &children.walk {
            Walk::Array { .. } => plain_array(children, scope).map(|array| Some(array.count)),
            Walk::Index { count, .. } => number(count, &scope.context()).map(Some),
            Walk::List { count, .. } | Walk::Tree { count, .. } => {
                count.as_ref().map(|count| number(count, &scope.context())).transpose()
            }
        }
    }

    /// Returns an element by its index, even past the end: as in the program, it is not checked.
    fn nth(&self, scope: &Scope<'_>, number: i128) -> Result<Option<Value>, EvalError> {
        let Some(children) = self.indexed() else { return Ok(None) };
        match &children.walk {
            Walk::Array { .. } => {
                let array = plain_array(children, scope)?;
                let size = size_of(&array.element, &scope.context()).unwrap_or(0);
                let address = (i128::from(array.first) + number * i128::from(size)) as u64;
                Ok(Some(PrinterMembers::placed(&array.element, address)))
            }
            Walk::Index { item: Some(item), .. } => {
                let Ok(number) = u64::try_from(number) else { return Ok(None) };
                let scope = scope.at(Local { index: Some(number), ..Local::default() });
                item.evaluate(&scope.context()).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn elements(&self, scope: &Scope<'_>) -> Result<Option<Value>, EvalError> {
        if let Body::Shown(shown) = &self.body {
            return shown.evaluate(&scope.context()).map(Some);
        }
        let Some(children) = self.indexed().filter(|children| matches!(children.walk, Walk::Array { .. })) else {
            return Ok(None);
        };
        let array = plain_array(children, scope)?;
        Ok(array_of_elements(&scope.context(), &array.element, array.first, array.count))
    }
}
