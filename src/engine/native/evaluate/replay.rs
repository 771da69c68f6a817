//! Evaluating an expression that calls functions of the program, which run while the tracer does other things.
//!
//! The evaluation ends at a call that has not been made yet. When it has been, the expression is evaluated again from
//! the beginning, and everything that it asked before is answered as it was then: nothing is written twice, and what the
//! function changed meanwhile is not seen by what came before it.

use super::EvalError;
use crate::native::budget::Budget;
use crate::native::calls::request::CallRequest;
use crate::native::classes::ClassDetail;
use crate::native::notebook::Notebook;
use crate::native::types::{MemoryFault, NamedValue, Place, Surroundings, Type, TypeRef};
use model::aif::Spelling;
use model::{ErrorCode, VirtualAddress};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Calls that one expression may make.
const MOST_CALLS: usize = 1000;

/// What an evaluation asked and was told.
#[derive(Debug, Default)]
pub struct Journal {
    entries: RefCell<Vec<Entry>>,
    calls: usize,
    pending: RefCell<Option<CallRequest>>,
}

#[derive(Clone, Debug)]
enum Entry {
    Read(Result<Vec<u8>, MemoryFault>),
    Written(Result<(), MemoryFault>),
    Register(Option<Vec<u8>>),
    RegisterSet(bool),
    Called(Vec<u8>),
}

impl Journal {
    /// The call that the evaluation ended at, to be made.
    pub fn take_pending(&self) -> Option<CallRequest> {
        self.pending.borrow_mut().take()
    }

    /// What that call returned.
    pub fn returned(&mut self, bytes: Vec<u8>) {
        self.calls += 1;
        self.entries.borrow_mut().push(Entry::Called(bytes));
    }

    /// Whether something was called already.
    pub fn is_begun(&self) -> bool {
        self.calls > 0
    }
}

/// Surroundings that answer from a journal as far as it goes.
pub struct Replay<'a> {
    inner: &'a dyn Surroundings,
    journal: &'a Journal,
    next: Cell<usize>,
}

impl<'a> Replay<'a> {
    /// From the beginning of the journal.
    pub fn new(inner: &'a dyn Surroundings, journal: &'a Journal) -> Self {
        Self { inner, journal, next: Cell::new(0) }
    }

    fn recorded(&self) -> Option<Entry> {
        let found = self.journal.entries.borrow().get(self.next.get()).cloned();
        if found.is_some() {
            self.next.set(self.next.get() + 1);
        }
        found
    }

    fn record(&self, entry: Entry) {
        self.next.set(self.next.get() + 1);
        self.journal.entries.borrow_mut().push(entry);
    }
}

impl Surroundings for Replay<'_> {
    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        if let Some(Entry::Called(bytes)) = self.recorded() {
            return Ok(bytes);
        }
        if self.journal.calls >= MOST_CALLS {
            let message = format!("An expression makes at most {MOST_CALLS} calls.");
            return Err(EvalError::new(ErrorCode::DEBUGGER, message));
        }
        self.journal.pending.borrow_mut().get_or_insert_with(|| request.clone());
        Err(EvalError::new(ErrorCode::DEBUGGER, format!("{} is being called", request.name)))
    }

    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if let Some(Entry::Read(outcome)) = self.recorded() {
            let bytes = outcome?;
            into.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
            return Ok(());
        }
        let outcome = self.inner.read(address, into);
        self.record(Entry::Read(outcome.map(|()| into.to_vec())));
        outcome
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        if let Some(Entry::Written(outcome)) = self.recorded() {
            return outcome;
        }
        let outcome = self.inner.write(address, data);
        self.record(Entry::Written(outcome));
        outcome
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        if let Some(Entry::Register(bytes)) = self.recorded() {
            return bytes;
        }
        let bytes = self.inner.register(number);
        self.record(Entry::Register(bytes.clone()));
        bytes
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        if let Some(Entry::RegisterSet(done)) = self.recorded() {
            return done;
        }
        let done = self.inner.set_register(number, data);
        self.record(Entry::RegisterSet(done));
        done
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

    fn register_named(&self, name: &str) -> Option<u16> {
        self.inner.register_named(name)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.inner.symbol_at(address)
    }

    fn is_static(&self, address: VirtualAddress) -> bool {
        self.inner.is_static(address)
    }

    fn spelling(&self) -> Option<Spelling> {
        self.inner.spelling()
    }

    fn budget(&self) -> Option<&Budget> {
        self.inner.budget()
    }

    fn notebook(&self) -> Option<&Notebook> {
        self.inner.notebook()
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
