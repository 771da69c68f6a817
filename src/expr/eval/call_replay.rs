//! Evaluates an expression that calls program functions, which run while the tracer does other work.
//!
//! The evaluation stops at a call that has not been made yet. After the call, the expression is evaluated again from
//! the beginning, and everything that it read or did before is answered from the journal: nothing is written twice, and
//! reads before the call do not see what the function changed.

use crate::EvalError;
use crate::call_request::CallRequest;
use crate::machine::Machine;
use debuginfo::types::MemoryFault;
use model::{ErrorCode, VirtualAddress};
use std::cell::{Cell, RefCell};

/// Calls that one expression may make.
const MOST_CALLS: usize = 1000;

/// The recorded steps of an evaluation, calls and their results included.
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
    /// Takes the call that the evaluation stopped at.
    pub fn take_pending(&self) -> Option<CallRequest> {
        self.pending.borrow_mut().take()
    }

    /// Records the result of the pending call.
    pub fn returned(&mut self, bytes: Vec<u8>) {
        self.calls += 1;
        self.entries.borrow_mut().push(Entry::Called(bytes));
    }

    /// True if the evaluation has called a function already.
    pub fn is_begun(&self) -> bool {
        self.calls > 0
    }
}

/// A machine that answers from a journal, and from the thread after its end.
pub struct Replay<'a> {
    inner: &'a dyn Machine,
    journal: &'a Journal,
    next: Cell<usize>,
}

impl<'a> Replay<'a> {
    /// Starts at the beginning of the journal.
    pub fn new(inner: &'a dyn Machine, journal: &'a Journal) -> Self {
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

impl Machine for Replay<'_> {
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

    fn signal_information(&self) -> Option<Vec<u8>> {
        self.inner.signal_information()
    }

    fn thread_number(&self) -> Option<u32> {
        self.inner.thread_number()
    }
}
