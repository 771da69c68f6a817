//! The members of a value, by which it is told what a type of a library holds.

use super::access::member;
use super::context::EvalContext;
use super::resolve::{size_of, stripped};
use super::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// A value that is looked into.
pub(super) struct Look<'a> {
    pub(super) value: &'a Value,
    pub(super) surroundings: &'a EvalContext<'a>,
}

impl Look<'_> {
    /// Elements that are fetched: one more than is shown tells whether there are more.
    pub(super) fn most(&self) -> u64 {
        self.surroundings.limits().fetched() + 1
    }

    /// A member by the names on the way to it, through pointers.
    pub(super) fn at(&self, value: &Value, path: &[&str]) -> Option<Value> {
        path.iter().try_fold(value.clone(), |value, name| member(&value, name, false, self.surroundings).ok())
    }

    /// As [`Look::at`], of the value itself.
    pub(super) fn part(&self, path: &[&str]) -> Option<Value> {
        self.at(self.value, path)
    }

    /// The first eight bytes of a value as a number.
    pub(super) fn word(&self, value: &Value) -> Option<u64> {
        // Garbage may be a chain or a tree without an end.
        if self.surroundings.budget().is_some_and(|budget| budget.read(8).is_err()) {
            return None;
        }
        let size = size_of(value.ty(), self.surroundings)?.min(8);
        value.read_bits(size, self.surroundings).ok().map(|bits| bits as u64)
    }

    /// A member as a number.
    pub(super) fn number(&self, path: &[&str]) -> Option<u64> {
        self.word(&self.part(path)?)
    }

    /// What a thin pointer points to.
    pub(super) fn pointed(&self, pointer: &Value) -> Option<TypeRef> {
        match &stripped(pointer.ty(), self.surroundings).1.kind {
            Kind::Pointer(target) => Some(target.clone()),
            _ => None,
        }
    }

    /// An argument of a template, or a type that one is generic over.
    pub(super) fn argument(&self, ty: &TypeRef, index: usize) -> Option<TypeRef> {
        self.surroundings.template_arguments(ty).into_iter().nth(index)
    }

    /// What is in memory.
    pub(super) fn placed(ty: &TypeRef, address: u64) -> Value {
        Value::new(ty.clone(), Place::Memory(VirtualAddress(address)))
    }
}
