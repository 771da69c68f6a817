//! What an expression is evaluated against: what names mean, the memory and registers behind them, the language, and what was
//! printed before.

use crate::EvalError;
use crate::budget::Budget;
use crate::call_request::{CallRequest, Convention};
use crate::machine::Machine;
use crate::printers::container::Container;
use crate::syntax::lexer::Lexer;
use crate::syntax::tree::{Node, Parsed, Syntax};
use crate::value::{Subject, Value};
use crate::value_history::ValueHistory;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::classes::ClassDetail;
use debuginfo::types::{MemoryFault, NamedValue, Place, Symbols, Type, TypeRef};
use model::aif::Spelling;
use model::{PrintLimits, VirtualAddress};
use std::sync::Arc;

/// What becomes of changes that an expression makes, and of what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvalMode {
    Normal,
    /// Only a type is wanted: memory and registers read as zero, and nothing is changed.
    AvoidSideEffects,
}

/// A language: how its expressions are read and what they come to, and how its types and values are written. Chosen from the
/// unit of the frame; C where nothing says another. What has a default here is so in C.
pub(crate) trait Language: Sync {
    /// How values of it travel, where that is not as in C.
    fn written(&self) -> Option<Spelling> {
        None
    }

    /// By which grammar its expressions are read.
    fn syntax(&self) -> Syntax {
        Syntax::C
    }

    /// How its expressions are divided into words.
    fn lexer(&self) -> &'static dyn Lexer;

    /// Reads an expression; `types` are names that are known to be types.
    fn parse(&self, text: &str, types: &[Arc<str>]) -> Result<Parsed, EvalError>;

    /// The value of a part of an expression.
    fn value(&self, node: &Node, context: &EvalContext<'_>) -> Result<Value, EvalError>;

    /// A call, or what is written as one. `returns` is what a cast around it says.
    fn call(
        &self,
        of: &Node,
        arguments: &[Node],
        returns: Option<&TypeRef>,
        context: &EvalContext<'_>,
    ) -> Result<Value, EvalError>;

    /// The type of comparisons.
    fn truth_type(&self) -> Builtin;

    /// How its functions take arguments and give results.
    fn convention(&self) -> Convention {
        Convention::C
    }

    /// Where a value of a type is just after the return.
    fn returned_place(&self, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Place>;

    /// A type in one line.
    fn type_name(&self, ty: &TypeRef, context: &EvalContext<'_>) -> String;

    /// As gdb's `whatis` writes it, or its `ptype` where `expand`. `at` says where the value is, if it is a part of a variable.
    fn type_text(
        &self,
        subject: Subject,
        expand: bool,
        at: &dyn Fn() -> Option<VirtualAddress>,
        context: &EvalContext<'_>,
    ) -> String;

    /// What a type of its library holds.
    fn container(&self, value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container>;

    /// What the printers of its library show of an element that cannot be read; `None`: gdb's error, which stands also in place
    /// of a value that is shown for another.
    fn unreadable_element(&self) -> Option<&'static str> {
        None
    }

    /// Objects have methods, which are called by their names alone in other methods.
    fn has_methods(&self) -> bool {
        false
    }

    /// Whether a name is that of a function that the language has itself.
    fn has_intrinsic(&self, _name: &str) -> bool {
        false
    }

    /// What is said of a name that a scope does not have.
    fn missing_in_scope(&self, _scope: &str, _name: &str, _context: &EvalContext<'_>) -> Option<String> {
        None
    }

    /// What is said of a type that nobody knows.
    fn unknown_type(&self, name: &str) -> String {
        format!("No symbol \"{name}\" in current context.")
    }

    /// What an expression's type is depends on what is in memory.
    fn types_depend_on_memory(&self) -> bool {
        false
    }

    /// Some variables are references, which gdb calls by no name where they cannot be read.
    fn has_references(&self) -> bool {
        true
    }

    /// A pointer to a character points to a text that ends with a NUL.
    fn has_c_strings(&self) -> bool {
        true
    }

    /// A text is an array of characters with a length of its own, and may be empty.
    fn texts_are_arrays(&self) -> bool {
        false
    }

    /// What the names of its characters begin with; those of C are small numbers then.
    fn character_types(&self) -> Option<&'static str> {
        None
    }

    /// Enumerators are known by the name of their enumeration.
    fn scopes_enumerators(&self) -> bool {
        false
    }

    /// gdb computes with numbers of quadruple precision as with `long double`.
    fn narrows_quadruples(&self) -> bool {
        false
    }

    /// The names that an expression looks up beside those it is made of; `None` where they depend on what it finds.
    fn implied_names(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Values of one type may have different shapes.
    fn has_own_shapes(&self) -> bool {
        false
    }
}

/// What an expression is evaluated against.
#[derive(Clone, Copy)]
pub struct EvalContext<'a> {
    symbols: &'a dyn Symbols,
    /// Says the language of the symbols' unit.
    languages: fn(&dyn Symbols) -> &'static dyn Language,
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
    /// Without anything that was printed before; `languages` chooses the language.
    pub(crate) fn with_languages(
        symbols: &'a dyn Symbols,
        machine: &'a dyn Machine,
        languages: fn(&dyn Symbols) -> &'static dyn Language,
    ) -> Self {
        Self {
            symbols,
            languages,
            machine,
            value_history: None,
            budget: None,
            limits: None,
            keeps_convenience: false,
            hears: None,
            effects: EvalMode::Normal,
        }
    }

    /// The language of the frame.
    pub(crate) fn language(&self) -> &'static dyn Language {
        (self.languages)(self.symbols)
    }

    /// A type in one line, with the words of DWARF: `struct cell *`, `long unsigned int`, `int (*)(int)`.
    pub fn type_name(&self, ty: &TypeRef) -> String {
        self.language().type_name(ty, self)
    }

    /// Where a value of a type is just after the return of a function of the frame's language.
    pub fn returned_place(&self, ty: &TypeRef) -> Option<Place> {
        self.language().returned_place(ty, self)
    }

    /// With what was printed before on a rank, and what looking may cost there.
    pub fn of_rank(self, value_history: Option<&'a ValueHistory>, budget: Option<&'a Budget>) -> Self {
        Self { value_history, budget, ..self }
    }

    /// Showing so much of a value, whatever the value_history says.
    pub fn with_limits(self, limits: PrintLimits) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// The same with another machine.
    pub fn on(self, machine: &'a dyn Machine) -> Self {
        Self { machine, ..self }
    }

    /// Memory, registers and functions as they are, whatever becomes of changes.
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
        let looked = self.language().types_depend_on_memory() && self.machine.read(address, into).is_ok();
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

    pub(crate) fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        self.symbols.type_of(reference)
    }

    pub(crate) fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.symbols.functions(name)
    }

    pub(crate) fn virtual_slot(&self, function: &TypeRef) -> Option<u64> {
        self.symbols.virtual_slot(function)
    }

    pub(crate) fn type_named(&self, name: &str) -> Option<TypeRef> {
        self.symbols.type_named(name)
    }

    pub(crate) fn template_arguments(&self, reference: &TypeRef) -> Vec<TypeRef> {
        self.symbols.template_arguments(reference)
    }

    pub(crate) fn nested_type(&self, reference: &TypeRef, name: &str) -> Option<TypeRef> {
        self.symbols.nested_type(reference, name)
    }

    pub(crate) fn is_declared_here(&self, reference: &TypeRef) -> bool {
        self.symbols.is_declared_here(reference)
    }

    pub(crate) fn measured(&self, array: &TypeRef, at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        self.symbols.measured(array, at)
    }

    pub(crate) fn class(&self, reference: &TypeRef) -> Option<ClassDetail> {
        self.symbols.class(reference)
    }

    pub(crate) fn alignment_of(&self, reference: &TypeRef) -> u64 {
        self.symbols.alignment_of(reference)
    }

    pub(crate) fn register_named(&self, name: &str) -> Option<u16> {
        self.symbols.register_named(name)
    }

    pub(crate) fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.symbols.symbol_at(address)
    }

    pub(crate) fn is_static(&self, address: VirtualAddress) -> bool {
        self.symbols.is_static(address)
    }

    pub(crate) fn module(&self) -> Option<String> {
        self.symbols.module()
    }

    pub(crate) fn implementor(&self, table: VirtualAddress) -> Option<TypeRef> {
        self.symbols.implementor(table)
    }

    pub(crate) fn library_release(&self) -> u32 {
        self.symbols.library_release()
    }
}
