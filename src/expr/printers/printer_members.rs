//! The members of a value, by which it is told what a type of a library holds.

use crate::context::EvalContext;
use crate::eval::access::member;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// A value that is looked into.
pub(crate) struct PrinterMembers<'a> {
    pub(crate) value: &'a Value,
    pub(crate) context: &'a EvalContext<'a>,
}

impl PrinterMembers<'_> {
    /// Elements that are fetched: one more than is shown tells whether there are more.
    pub(crate) fn most(&self) -> u64 {
        self.context.limits().fetched() + 1
    }

    /// A member by the names on the way to it, through pointers.
    pub(crate) fn at(&self, value: &Value, path: &[&str]) -> Option<Value> {
        path.iter().try_fold(value.clone(), |value, name| member(&value, name, false, self.context).ok())
    }

    /// As [`PrinterMembers::at`], of the value itself.
    pub(crate) fn part(&self, path: &[&str]) -> Option<Value> {
        self.at(self.value, path)
    }

    /// The first eight bytes of a value as a number.
    pub(crate) fn word(&self, value: &Value) -> Option<u64> {
        // Garbage may be a chain or a tree without an end.
        if self.context.budget().is_some_and(|budget| budget.read(8).is_err()) {
            return None;
        }
        let size = size_of(value.ty(), self.context)?.min(8);
        value.read_bits(size, self.context).ok().map(|bits| bits as u64)
    }

    /// A member as a number.
    pub(crate) fn number(&self, path: &[&str]) -> Option<u64> {
        self.word(&self.part(path)?)
    }

    /// The target of a thin pointer.
    pub(crate) fn pointed(&self, pointer: &Value) -> Option<TypeRef> {
        match &stripped(pointer.ty(), self.context).1.kind {
            Kind::Pointer(target) => Some(target.clone()),
            _ => None,
        }
    }

    /// An argument of a template, or a type that one is generic over.
    pub(crate) fn argument(&self, ty: &TypeRef, index: usize) -> Option<TypeRef> {
        self.context.symbols().template_arguments(ty).into_iter().nth(index)
    }

    /// A value in memory.
    pub(crate) fn placed(ty: &TypeRef, address: u64) -> Value {
        Value::new(ty.clone(), Place::Memory(VirtualAddress(address)))
    }
}
