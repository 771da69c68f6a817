//! What an expression is evaluated against: what names mean, the memory and registers behind them, and what was printed
//! before.

use super::EvalError;
use super::budget::Budget;
use super::call_request::CallRequest;
use crate::value_history::ValueHistory;
use debuginfo::types::classes::ClassDetail;
use debuginfo::types::{MemoryFault, NamedValue, Place, Symbols, Type, TypeRef};
use debuginfo::{FrameView, LoadedImages, StackFrame, ThreadAccess};
use model::aif::Spelling;
use model::{ErrorCode, PrintLimits, VirtualAddress};
use std::ops::Deref;
use std::sync::Arc;

/// A stopped thread at one frame: its memory, its registers, and functions that run in it. What records or replays what an
/// expression does wraps this alone.
pub trait Machine {
    /// Fills `into` or fails at the first address that cannot be read. Breakpoints of ours are not seen.
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault>;
    /// Writes all or nothing.
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault>;
    /// A register of the frame by DWARF number, little endian, 8 bytes (16 for vector registers, 10 for x87).
    fn register(&self, number: u16) -> Option<Vec<u8>>;
    /// Changes a register of the frame; `false` when it cannot.
    fn set_register(&self, number: u16, data: &[u8]) -> bool;
    /// Calls a function of the program; the bytes of what it returns.
    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError>;
    /// What the thread was told with the signal it stopped for (`siginfo_t`).
    fn signal_information(&self) -> Option<Vec<u8>>;
    /// The number of the thread.
    fn thread_number(&self) -> Option<u32>;
}

/// Why [`Machine::call`] calls nothing where it cannot.
pub fn not_called(request: &CallRequest) -> EvalError {
    let message = format!("{} cannot be called here: only print, set and sets call functions.", request.name);
    EvalError::new(ErrorCode::NOT_IMPLEMENTED, message)
}

impl Machine for FrameView<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        FrameView::read(self, address, into)
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        FrameView::write(self, address, data)
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        FrameView::register(self, number)
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        FrameView::set_register(self, number, data)
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        Err(not_called(request))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        FrameView::signal_information(self)
    }

    fn thread_number(&self) -> Option<u32> {
        FrameView::thread_number(self)
    }
}

/// A stopped thread of a rank: beside its memory and registers, what goes with the rank.
pub trait StoppedAccess: ThreadAccess {
    /// What was printed and named before; `None` where nothing is kept.
    fn value_history(&self) -> Option<&ValueHistory> {
        None
    }

    /// What looking may still cost; `None`: each value has a budget of its own.
    fn budget(&self) -> Option<&Budget> {
        None
    }

    /// An expression wants a function of the program to be called.
    fn wants_call(&self) {}
}

/// One frame of a stopped thread of a rank.
pub struct FrameContext<'a> {
    view: FrameView<'a>,
    access: &'a dyn StoppedAccess,
}

impl<'a> FrameContext<'a> {
    /// A frame of the thread. `frame` `None`: only what needs none is known.
    pub fn new(images: &'a LoadedImages, frame: Option<&'a StackFrame>, access: &'a dyn StoppedAccess) -> Self {
        Self { view: FrameView::new(images, frame, access), access }
    }

    /// For expressions.
    pub fn eval(&self) -> EvalContext<'_> {
        EvalContext::new(&self.view, &self.view).of_rank(self.access)
    }

    /// The frame.
    pub fn view(&self) -> &FrameView<'a> {
        &self.view
    }
}

impl<'a> Deref for FrameContext<'a> {
    type Target = FrameView<'a>;

    fn deref(&self) -> &Self::Target {
        &self.view
    }
}

/// What becomes of changes that an expression makes, and of what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvalMode {
    /// Changes are made.
    Normal,
    /// Only a type is wanted: memory and registers read as zero, and nothing is changed.
    AvoidSideEffects,
}

/// What an expression is evaluated against.
#[derive(Clone, Copy)]
pub struct EvalContext<'a> {
    symbols: &'a dyn Symbols,
    machine: &'a dyn Machine,
    value_history: Option<&'a ValueHistory>,
    budget: Option<&'a Budget>,
    /// Other than those of the value_history.
    limits: Option<PrintLimits>,
    /// Convenience variables stay as they are.
    keeps_convenience: bool,
    /// Hears which variables were looked up and found.
    hears: Option<&'a dyn Fn(&NamedValue)>,
    effects: EvalMode,
}

impl<'a> EvalContext<'a> {
    /// Without anything that was printed before.
    pub fn new(symbols: &'a dyn Symbols, machine: &'a dyn Machine) -> Self {
        Self {
            symbols,
            machine,
            value_history: None,
            budget: None,
            limits: None,
            keeps_convenience: false,
            hears: None,
            effects: EvalMode::Normal,
        }
    }

    /// With what was printed before on the rank of a thread, and what looking may cost there.
    pub fn of_rank(self, access: &'a dyn StoppedAccess) -> Self {
        Self { value_history: access.value_history(), budget: access.budget(), ..self }
    }

    /// Showing so much of a value, whatever the value_history says.
    pub fn with_limits(self, limits: PrintLimits) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// The same with another machine.
    pub fn on(self, machine: &'a dyn Machine) -> Self {
        Self { machine, ..self }
    }

    /// The machine.
    pub fn machine(&self) -> &'a dyn Machine {
        self.machine
    }

    /// For an expression that is looked at again and again: it changes no convenience variable, and `hears` is told which
    /// variables it names.
    pub fn observed(self, hears: &'a dyn Fn(&NamedValue)) -> Self {
        Self { keeps_convenience: true, hears: Some(hears), ..self }
    }

    /// For finding types only.
    pub(super) fn avoiding_side_effects(self) -> Self {
        Self { effects: EvalMode::AvoidSideEffects, ..self }
    }

    /// Whether the expression is evaluated in earnest.
    pub(super) fn has_effects(&self) -> bool {
        self.effects == EvalMode::Normal
    }

    /// Memory as the program sees it.
    pub fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if self.has_effects() {
            return self.machine.read(address, into);
        }
        // Which alternative an enum is decides which fields it has.
        let looked = self.spelling() == Some(Spelling::Rust) && self.machine.read(address, into).is_ok();
        if !looked {
            into.fill(0);
        }
        Ok(())
    }

    /// Writes all or nothing.
    pub fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        if self.has_effects() { self.machine.write(address, data) } else { Ok(()) }
    }

    /// A register of the frame by DWARF number.
    pub fn register(&self, number: u16) -> Option<Vec<u8>> {
        let bytes = self.machine.register(number);
        if self.has_effects() { bytes } else { bytes.map(|bytes| vec![0; bytes.len()]) }
    }

    /// Changes a register of the frame; `false` when it cannot.
    pub fn set_register(&self, number: u16, data: &[u8]) -> bool {
        !self.has_effects() || self.machine.set_register(number, data)
    }

    /// Calls a function of the program; the bytes of what it returns.
    pub fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        self.machine.call(request)
    }

    /// What the thread was told with the signal it stopped for.
    pub fn signal_information(&self) -> Option<Vec<u8>> {
        self.machine.signal_information()
    }

    /// The number of the thread.
    pub fn thread_number(&self) -> Option<u32> {
        self.machine.thread_number()
    }

    /// What was printed and named before; `None` where nothing is kept.
    pub fn value_history(&self) -> Option<&'a ValueHistory> {
        self.value_history
    }

    /// What looking may still cost; `None`: each value has a budget of its own.
    pub fn budget(&self) -> Option<&'a Budget> {
        self.budget
    }

    /// How much of a value is shown.
    pub fn limits(&self) -> PrintLimits {
        self.limits.or_else(|| self.value_history.map(ValueHistory::limits)).unwrap_or_default()
    }

    /// Changes bytes of a convenience variable; `false` when it cannot.
    pub fn change_convenience(&self, name: &str, offset: u64, data: &[u8]) -> bool {
        if !self.has_effects() {
            return true;
        }
        !self.keeps_convenience
            && self.value_history.is_some_and(|value_history| value_history.change_variable(name, offset, data))
    }

    /// A variable, and who wants to hear of it is told.
    pub fn variable(&self, name: &str) -> Option<NamedValue> {
        let found = self.symbols.variable(name)?;
        if let Some(hears) = self.hears {
            hears(&found);
        }
        Some(found)
    }

    /// See [`Symbols::type_of`].
    pub fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        self.symbols.type_of(reference)
    }

    /// See [`Symbols::functions`].
    pub fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.symbols.functions(name)
    }

    /// See [`Symbols::virtual_slot`].
    pub fn virtual_slot(&self, function: &TypeRef) -> Option<u64> {
        self.symbols.virtual_slot(function)
    }

    /// See [`Symbols::type_named`].
    pub fn type_named(&self, name: &str) -> Option<TypeRef> {
        self.symbols.type_named(name)
    }

    /// See [`Symbols::template_arguments`].
    pub fn template_arguments(&self, reference: &TypeRef) -> Vec<TypeRef> {
        self.symbols.template_arguments(reference)
    }

    /// See [`Symbols::nested_type`].
    pub fn nested_type(&self, reference: &TypeRef, name: &str) -> Option<TypeRef> {
        self.symbols.nested_type(reference, name)
    }

    /// See [`Symbols::is_declared_here`].
    pub fn is_declared_here(&self, reference: &TypeRef) -> bool {
        self.symbols.is_declared_here(reference)
    }

    /// See [`Symbols::measured`].
    pub fn measured(&self, array: &TypeRef, at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        self.symbols.measured(array, at)
    }

    /// See [`Symbols::class`].
    pub fn class(&self, reference: &TypeRef) -> Option<ClassDetail> {
        self.symbols.class(reference)
    }

    /// See [`Symbols::alignment_of`].
    pub fn alignment_of(&self, reference: &TypeRef) -> u64 {
        self.symbols.alignment_of(reference)
    }

    /// See [`Symbols::register_named`].
    pub fn register_named(&self, name: &str) -> Option<u16> {
        self.symbols.register_named(name)
    }

    /// See [`Symbols::symbol_at`].
    pub fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.symbols.symbol_at(address)
    }

    /// See [`Symbols::is_static`].
    pub fn is_static(&self, address: VirtualAddress) -> bool {
        self.symbols.is_static(address)
    }

    /// See [`Symbols::spelling`].
    pub fn spelling(&self) -> Option<Spelling> {
        self.symbols.spelling()
    }

    /// See [`Symbols::module`].
    pub fn module(&self) -> Option<String> {
        self.symbols.module()
    }

    /// See [`Symbols::implementor`].
    pub fn implementor(&self, table: VirtualAddress) -> Option<TypeRef> {
        self.symbols.implementor(table)
    }

    /// See [`Symbols::library_release`].
    pub fn library_release(&self) -> u32 {
        self.symbols.library_release()
    }

    /// See [`Symbols::is_cplusplus`].
    pub fn is_cplusplus(&self) -> bool {
        self.symbols.is_cplusplus()
    }
}
