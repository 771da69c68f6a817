//! Reads the members of a library type for its printer.

use crate::context::EvalContext;
use crate::eval::access::member;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// The value of a library type that is being shown.
pub(crate) struct PrinterMembers<'a> {
    pub(crate) value: &'a Value,
    pub(crate) context: &'a EvalContext<'a>,
}

impl PrinterMembers<'_> {
    /// Elements to fetch: one more than is shown tells whether there are more.
    pub(crate) fn most(&self) -> u64 {
        self.context.limits().fetched() + 1
    }

    /// Returns a member by the path of names to it, following pointers.
    pub(crate) fn at(&self, value: &Value, path: &[&str]) -> Option<Value> {
        path.iter().try_fold(value.clone(), |value, name| member(&value, name, false, self.context).ok())
    }

    /// As [`PrinterMembers::at`], from the value itself.
    pub(crate) fn part(&self, path: &[&str]) -> Option<Value> {
        self.at(self.value, path)
    }

    /// Returns the first eight bytes of a value as a number.
    pub(crate) fn word(&self, value: &Value) -> Option<u64> {
        // Garbage may form a list or tree without an end.
        if self.context.budget().is_some_and(|budget| budget.read(8).is_err()) {
            return None;
        }
        let size = size_of(value.ty(), self.context)?.min(8);
        value.read_bits(size, self.context).ok().map(|bits| bits as u64)
    }

    /// Returns a member as a number.
    pub(crate) fn number(&self, path: &[&str]) -> Option<u64> {
        self.word(&self.part(path)?)
    }

    /// Returns the target type of a thin pointer.
    pub(crate) fn pointed(&self, pointer: &Value) -> Option<TypeRef> {
        match &stripped(pointer.ty(), self.context).1.kind {
            Kind::Pointer(target) => Some(target.clone()),
            _ => None,
        }
    }

    /// Returns a template or generic argument of a type.
    pub(crate) fn argument(&self, ty: &TypeRef, index: usize) -> Option<TypeRef> {
        self.context.symbols().template_arguments(ty).into_iter().nth(index)
    }

    pub(crate) fn placed(ty: &TypeRef, address: u64) -> Value {
        Value::new(ty.clone(), Place::Memory(VirtualAddress(address)))
    }
}
