//! Evaluating without effects: for types, and for names that are only checked.

use super::EvalError;
use crate::native::budget::Budget;
use crate::native::calls::request::CallRequest;
use crate::native::classes::ClassDetail;
use crate::native::notebook::Notebook;
use crate::native::types::{MemoryFault, NamedValue, Place, Surroundings, Type, TypeRef};
use model::VirtualAddress;
use model::aif::Spelling;
use std::sync::Arc;

/// The surroundings of an evaluation that is to find a type only: memory and registers read as zero, and nothing is
/// written.
pub(super) struct Effects<'a> {
    pub(super) inner: &'a dyn Surroundings,
    pub(super) allowed: bool,
}

impl Surroundings for Effects<'_> {
    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        self.inner.call(request)
    }

    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        self.inner.type_of(reference)
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        self.inner.variable(name)
    }

    fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.inner.functions(name)
    }

    fn virtual_slot(&self, function: &TypeRef) -> Option<u64> {
        self.inner.virtual_slot(function)
    }

    fn type_named(&self, name: &str) -> Option<TypeRef> {
        self.inner.type_named(name)
    }

    fn template_arguments(&self, reference: &TypeRef) -> Vec<TypeRef> {
        self.inner.template_arguments(reference)
    }

    fn nested_type(&self, reference: &TypeRef, name: &str) -> Option<TypeRef> {
        self.inner.nested_type(reference, name)
    }

    fn is_declared_here(&self, reference: &TypeRef) -> bool {
        self.inner.is_declared_here(reference)
    }

    fn measured(&self, array: &TypeRef, at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        self.inner.measured(array, at)
    }

    fn class(&self, reference: &TypeRef) -> Option<ClassDetail> {
        self.inner.class(reference)
    }

    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if self.allowed {
            return self.inner.read(address, into);
        }
        // Which alternative an enum is decides which fields it has.
        let looked = self.spelling() == Some(Spelling::Rust) && self.inner.read(address, into).is_ok();
        if !looked {
            into.fill(0);
        }
        Ok(())
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        if self.allowed { self.inner.write(address, data) } else { Ok(()) }
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        let bytes = self.inner.register(number);
        if self.allowed { bytes } else { bytes.map(|bytes| vec![0; bytes.len()]) }
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        !self.allowed || self.inner.set_register(number, data)
    }

    fn register_named(&self, name: &str) -> Option<u16> {
        self.inner.register_named(name)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.inner.symbol_at(address)
    }

    fn budget(&self) -> Option<&Budget> {
        self.inner.budget()
    }

    fn notebook(&self) -> Option<&Notebook> {
        self.inner.notebook()
    }

    fn change_convenience(&self, name: &str, offset: u64, data: &[u8]) -> bool {
        !self.allowed || self.inner.change_convenience(name, offset, data)
    }

    fn is_static(&self, address: VirtualAddress) -> bool {
        self.inner.is_static(address)
    }

    fn spelling(&self) -> Option<Spelling> {
        self.inner.spelling()
    }

    fn library_release(&self) -> u32 {
        self.inner.library_release()
    }

    fn is_cplusplus(&self) -> bool {
        self.inner.is_cplusplus()
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        self.inner.signal_information()
    }

    fn thread_number(&self) -> Option<u32> {
        self.inner.thread_number()
    }

    fn module(&self) -> Option<String> {
        self.inner.module()
    }

    fn implementor(&self, table: VirtualAddress) -> Option<TypeRef> {
        self.inner.implementor(table)
    }
}
