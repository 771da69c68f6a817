//! The context of an evaluation: symbols, the memory and registers behind them, and earlier values.

use crate::EvalError;
use crate::budget::Budget;
use crate::call_request::CallRequest;
use crate::machine::Machine;
use crate::observed_symbols::ObservedSymbols;
use crate::printers::container::Printed;
use crate::value::Value;
use crate::value_history::ValueHistory;
use debuginfo::UnitLanguage;
use debuginfo::types::{MemoryFault, NamedValue, Symbols};
use model::{PrintOptions, VirtualAddress};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvalMode {
    Normal,
    /// Only a type is needed: registers read as zero, memory too unless types depend on it, and nothing is changed.
    AvoidSideEffects {
        reads_memory: bool,
    },
}

/// Printers by the types of values, such as those that users write. The context hands them on.
pub(crate) trait TypePrinters {
    /// Returns what is shown of a value, or of the target of a pointer.
    fn printed(&self, value: &Value, of_pointer: bool, context: &EvalContext<'_>) -> Printed;
    /// True if there are printers of pointers.
    fn has_pointers(&self) -> bool;
    /// True if the printer in code for a type of this name is disabled.
    fn hides_library_type(&self, name: &str) -> bool;
    /// Computes a method or an operator (`operator[]`) without a call; `None` if no printer says how.
    fn method(
        &self,
        object: &Value,
        method: &str,
        arguments: &[Value],
        context: &EvalContext<'_>,
    ) -> Result<Option<Value>, EvalError>;
    /// Returns elements that lie one after another in memory, as an array.
    fn elements(&self, value: &Value, context: &EvalContext<'_>) -> Option<Value>;
}

/// Everything that an expression needs for its evaluation.
#[derive(Clone, Copy)]
pub struct EvalContext<'a> {
    symbols: ObservedSymbols<'a>,
    machine: &'a dyn Machine,
    value_history: Option<&'a ValueHistory>,
    budget: Option<&'a Budget>,
    /// Replaces the limits of the value history.
    limits: Option<PrintOptions>,
    /// True if convenience variables must not change.
    keeps_convenience: bool,
    effects: EvalMode,
    /// True for a condition, which is evaluated while the program runs and cannot call it.
    is_condition: bool,
    /// The user's printers, and those that come with the program.
    printers: [Option<&'a dyn TypePrinters>; 2],
    /// How many printers are evaluating expressions, one within the other.
    printing: u8,
    /// Replaces the language of the symbols' unit.
    language: Option<UnitLanguage>,
}

impl<'a> EvalContext<'a> {
    /// Creates a context without value history, in the language of the symbols' unit.
    pub fn new(symbols: &'a dyn Symbols, machine: &'a dyn Machine) -> Self {
        Self {
            symbols: ObservedSymbols::new(symbols),
            machine,
            value_history: None,
            budget: None,
            limits: None,
            keeps_convenience: false,
            effects: EvalMode::Normal,
            is_condition: false,
            printers: [None; 2],
            printing: 0,
            language: None,
        }
    }

    /// Adds a rank's value history and the budget for reading its values.
    pub fn of_rank(self, value_history: Option<&'a ValueHistory>, budget: Option<&'a Budget>) -> Self {
        Self { value_history, budget, ..self }
    }

    /// Sets the print limits, overriding those of the value history.
    pub fn with_limits(self, limits: PrintOptions) -> Self {
        Self { limits: Some(limits), ..self }
    }

    /// Sets the user's printers, and those that come with the program.
    pub(crate) fn with_printers(
        self,
        own: Option<&'a dyn TypePrinters>,
        shipped: Option<&'a dyn TypePrinters>,
    ) -> Self {
        Self { printers: [own, shipped], ..self }
    }

    /// The user's printers, which are tried before those of the language's library.
    pub(crate) fn own_printers(&self) -> Option<&'a dyn TypePrinters> {
        let [own, _] = self.printers;
        own
    }

    /// The printers that come with the program, which are tried after those of the language's library.
    pub(crate) fn shipped_printers(&self) -> Option<&'a dyn TypePrinters> {
        let [_, shipped] = self.printers;
        shipped
    }

    /// Returns the same context with the language of another unit, for writing its declarations.
    pub fn written_in(self, language: UnitLanguage) -> Self {
        Self { language: Some(language), ..self }
    }

    /// The language of expressions and types.
    pub(crate) fn unit_language(&self) -> UnitLanguage {
        self.language.unwrap_or_else(|| self.symbols.unit_language())
    }

    /// For the expressions of a printer, on a machine that only reads.
    pub(crate) fn in_printer<'b>(&self, machine: &'b dyn Machine) -> EvalContext<'b>
    where
        'a: 'b,
    {
        EvalContext { machine, keeps_convenience: true, printing: self.printing.saturating_add(1), ..*self }
    }

    /// How many printers are evaluating expressions, one within the other.
    pub(crate) fn printing(&self) -> u8 {
        self.printing
    }

    /// Returns the same context with other names.
    pub(crate) fn within<'b>(&self, symbols: &'b dyn Symbols) -> EvalContext<'b>
    where
        'a: 'b,
    {
        EvalContext { symbols: ObservedSymbols::new(symbols), ..*self }
    }

    /// Returns the same context with another machine.
    pub fn on(self, machine: &'a dyn Machine) -> Self {
        Self { machine, ..self }
    }

    /// Returns the underlying machine, which reads and writes even in a context without effects.
    pub fn machine(&self) -> &'a dyn Machine {
        self.machine
    }

    /// For an expression that is evaluated again and again: it changes no convenience variable, and `hears` is called
    /// with each variable that it looks up.
    pub fn observed(self, hears: &'a dyn Fn(&NamedValue)) -> Self {
        Self { keeps_convenience: true, symbols: self.symbols.observed(hears), ..self }
    }

    /// For finding types only; `reads_memory`: the types depend on memory.
    pub(crate) fn without_effects(self, reads_memory: bool) -> Self {
        Self { effects: EvalMode::AvoidSideEffects { reads_memory }, ..self }
    }

    /// For a condition, which is evaluated while the program runs and cannot call it.
    pub(crate) fn for_condition(self) -> Self {
        Self { is_condition: true, ..self }
    }

    pub(crate) fn is_condition(&self) -> bool {
        self.is_condition
    }

    pub(super) fn has_effects(&self) -> bool {
        self.effects == EvalMode::Normal
    }

    /// Reads memory as the program sees it.
    pub fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        match self.effects {
            EvalMode::Normal => return self.machine.read(address, into),
            EvalMode::AvoidSideEffects { reads_memory: true } if self.machine.read(address, into).is_ok() => {}
            EvalMode::AvoidSideEffects { .. } => into.fill(0),
        }
        Ok(())
    }

    /// Writes all bytes or none.
    pub fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        if self.has_effects() { self.machine.write(address, data) } else { Ok(()) }
    }

    /// Reads a register of the frame by DWARF number.
    pub fn register(&self, number: u16) -> Option<Vec<u8>> {
        let bytes = self.machine.register(number);
        if self.has_effects() { bytes } else { bytes.map(|bytes| vec![0; bytes.len()]) }
    }

    /// Changes a register of the frame; returns `false` if it cannot be changed.
    pub fn set_register(&self, number: u16, data: &[u8]) -> bool {
        !self.has_effects() || self.machine.set_register(number, data)
    }

    /// Calls a function of the program and returns the bytes of its result.
    pub fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        self.machine.call(request)
    }

    /// The `siginfo_t` of the signal that the thread stopped for.
    pub fn signal_information(&self) -> Option<Vec<u8>> {
        self.machine.signal_information()
    }

    /// The number of the thread, as `$_thread` gives it.
    pub fn thread_number(&self) -> Option<u32> {
        self.machine.thread_number()
    }

    /// The rank's value history; `None` if none is kept.
    pub fn value_history(&self) -> Option<&'a ValueHistory> {
        self.value_history
    }

    /// The remaining budget; `None`: each value has its own.
    pub fn budget(&self) -> Option<&'a Budget> {
        self.budget
    }

    /// The print limits: those set here, the history's, or the defaults.
    pub fn limits(&self) -> PrintOptions {
        self.limits.or_else(|| self.value_history.map(ValueHistory::limits)).unwrap_or_default()
    }

    /// Changes bytes of a convenience variable; returns `false` if they cannot be changed.
    pub fn change_convenience(&self, name: &str, offset: u64, data: &[u8]) -> bool {
        if !self.has_effects() {
            return true;
        }
        !self.keeps_convenience
            && self.value_history.is_some_and(|value_history| value_history.change_variable(name, offset, data))
    }

    /// Looks up a variable.
    pub fn variable(&self, name: &str) -> Option<NamedValue> {
        self.symbols.variable(name)
    }

    pub(crate) fn symbols(&self) -> ObservedSymbols<'a> {
        self.symbols
    }
}
