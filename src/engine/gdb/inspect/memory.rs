//! The evaluator's access to the program through gdb: memory, shared members and symbols.

use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::link::Answered;
use crate::gdb::session::script::answer_in;
use debuginfo::UnitLanguage;
use debuginfo::types::{Kind, MemoryFault, NamedValue, Symbols, Type, TypeRef};
use expr::{CallRequest, EvalError, Machine, not_called};
use model::VirtualAddress;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) struct Memory<'a> {
    gdb: RefCell<&'a mut Gdb>,
    /// Set if gdb ended during a read.
    gone: RefCell<Option<GdbError>>,
    /// Static members, by their full names.
    shared: HashMap<String, NamedValue>,
    /// The language of the frame.
    language: UnitLanguage,
}

impl<'a> Memory<'a> {
    pub(super) fn new(gdb: &'a mut Gdb, shared: HashMap<String, NamedValue>) -> Self {
        Self { gdb: RefCell::new(gdb), gone: RefCell::new(None), shared, language: UnitLanguage::C }
    }

    /// The same for a frame in another language.
    pub(super) fn written_in(self, language: UnitLanguage) -> Self {
        Self { language, ..self }
    }

    /// Returns the error if gdb ended meanwhile.
    pub(super) fn into_gone(self) -> Option<GdbError> {
        self.gone.into_inner()
    }

    pub(super) fn ask(&self, command: &Command) -> Option<Answered> {
        self.with(|gdb| gdb.ask(command))
    }

    /// Asks gdb something; `None` if it refuses.
    pub(super) fn with<T>(&self, ask: impl FnOnce(&mut Gdb) -> Result<T, GdbError>) -> Option<T> {
        match ask(&mut self.gdb.borrow_mut()) {
            Ok(answered) => Some(answered),
            Err(GdbError::Refused(_)) => None,
            Err(gone) => {
                self.gone.borrow_mut().get_or_insert(gone);
                None
            }
        }
    }
}

impl Symbols for Memory<'_> {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        match reference {
            TypeRef::Made(made) => made.clone(),
            _ => Arc::new(Type { name: Some("void".into()), size: Some(1), kind: Kind::Void }),
        }
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        self.shared.get(name).cloned()
    }

    fn type_named(&self, _: &str) -> Option<TypeRef> {
        None
    }

    fn unit_language(&self) -> UnitLanguage {
        self.language
    }

    fn register_named(&self, _: &str) -> Option<u16> {
        None
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        let words = self.ask(&Command::console(&format!("python rankscope.symbol({})", address.0)))?.words;
        symbol_in(answer_in(&words)?)
    }
}

impl Machine for Memory<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if into.is_empty() {
            return Ok(());
        }
        let command = Command::new("data-read-memory-bytes").word(address).word(into.len());
        let answered = self.ask(&command).ok_or(MemoryFault(address))?;
        // gdb returns the readable parts; the first gap is the fault.
        let mut filled = 0;
        for part in answered.results.inside("memory").into_iter().flat_map(|memory| memory.parts()) {
            let begin = part.number("begin").unwrap_or(0);
            if begin != address.0.wrapping_add(filled as u64) {
                break;
            }
            let bytes = part.text("contents").and_then(model::aif::from_hex).unwrap_or_default();
            let room = into.get_mut(filled..).unwrap_or_default();
            room.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
            filled = (filled + bytes.len()).min(into.len());
        }
        if filled < into.len() {
            Err(MemoryFault(VirtualAddress(address.0.wrapping_add(filled as u64))))
        } else {
            Ok(())
        }
    }

    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, _: u16) -> Option<Vec<u8>> {
        None
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        Err(not_called(request))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        None
    }

    fn thread_number(&self) -> Option<u32> {
        None
    }
}

/// Parses `"0x55555555513d <main+4>"`, quotation marks included.
fn symbol_in(words: &str) -> Option<(Arc<str>, u64)> {
    symbol_of(&serde_json::from_str::<String>(words).ok()?)
}

/// Parses `0x55555555513d <main+4>`.
pub(in crate::gdb) fn symbol_of(words: &str) -> Option<(Arc<str>, u64)> {
    let symbol = words.split_once(" <")?.1.strip_suffix('>')?;
    let distance = symbol.rsplit_once('+').and_then(|(name, digits)| Some((name.into(), digits.parse().ok()?)));
    Some(distance.unwrap_or_else(|| (symbol.into(), 0)))
}

#[cfg(test)]
mod tests {
    use super::symbol_in;

    #[test]
    fn symbols_are_read() {
        for (words, wanted) in [
            ("\"0x1139 <main>\"", Some(("main", 0))),
            ("\"0x1139 <operator+ (int)+17>\"", Some(("operator+ (int)", 17))),
            ("\"0x1139 <operator+>\"", Some(("operator+", 0))),
            ("\"0x8\"", None),
            ("{\"error\": \"no\"}", None),
            ("", None),
        ] {
            let wanted = wanted.map(|(name, distance)| (name.into(), distance));
            assert_eq!(symbol_in(words), wanted);
        }
    }
}
