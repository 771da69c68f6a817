//! Values: gdb's type information and the program's memory become AIF. A script inside of gdb says of a value what type
//! it has and where it is; the bytes are read from the program, and what is made of them is what the native engine makes.

use super::fault::{GdbError, failure, failure_in};
use super::link::Link;
use super::mi::Command;
use super::rank::Debuggee;
use crate::engine::native::evaluate::Value;
use crate::engine::native::types::{
    Aggregate, Dimension, Encoding, Kind, Member, MemoryFault, NamedValue, Place, Surroundings, Type, TypeRef,
};
use crate::model::aif::{AifType, AifValue};
use crate::model::{Datum, Failure, Variable, VariableValue, VirtualAddress};
use serde::Deserialize;
use std::cell::RefCell;
use std::sync::Arc;

/// The script.
pub(super) const SCRIPT: &str = include_str!("inside.py");
/// What the script's lines begin with.
const MARK: &str = "rankscope:";
/// What is said behind the type's name when a value is gdb's text, not data.
const AS_TEXT: &str = " (as gdb prints it)";

/// A type, as the script tells it.
#[derive(Clone, Debug, Deserialize)]
struct TypeTold {
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    of: Option<Box<TypeTold>>,
    #[serde(default)]
    low: i64,
    #[serde(default)]
    count: Option<u64>,
    #[serde(default)]
    signed: bool,
    #[serde(default)]
    declaration: bool,
    #[serde(default)]
    members: Vec<MemberTold>,
    #[serde(default)]
    values: Vec<(Option<String>, i64)>,
    #[serde(default)]
    parameters: Vec<TypeTold>,
}

#[derive(Clone, Debug, Deserialize)]
struct MemberTold {
    name: Option<String>,
    #[serde(rename = "type")]
    ty: TypeTold,
    /// From the start of the aggregate.
    bit: u64,
    /// 0: no bit-field.
    bits: u32,
    base: bool,
}

/// A value, as the script tells it: one of error, address, bytes, text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ValueTold {
    error: Option<String>,
    type_name: String,
    #[serde(rename = "type")]
    ty: Option<TypeTold>,
    address: Option<u64>,
    bytes: Option<String>,
    known: Option<String>,
    text: Option<String>,
    optimized_out: bool,
}

/// A value with its name.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamedTold {
    pub(super) name: String,
    pub(super) value: ValueTold,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Told<T> {
    Failed { error: String },
    Well(T),
}

impl TypeTold {
    fn reference(&self) -> TypeRef {
        if self.kind == "void" { TypeRef::Void } else { TypeRef::Made(Arc::new(self.ty())) }
    }

    fn target(&self) -> TypeRef {
        self.of.as_ref().map_or(TypeRef::Void, |of| of.reference())
    }

    fn ty(&self) -> Type {
        let kind = match self.kind.as_str() {
            "typedef" => Kind::Typedef(self.target()),
            "pointer" => Kind::Pointer(self.target()),
            "reference" => Kind::Reference(self.target(), false),
            "rvalue_reference" => Kind::Reference(self.target(), true),
            "array" => Kind::Array {
                element: self.target(),
                dimensions: vec![Dimension { lower: self.low, count: self.count }],
            },
            "struct" | "union" => Kind::Aggregate {
                tag: if self.kind == "union" { Aggregate::Union } else { Aggregate::Struct },
                members: self.members.iter().map(MemberTold::member).collect(),
                declaration: self.declaration,
            },
            "enum" => self.enumeration(),
            "flags" => Kind::Enumeration {
                enumerators: self.named_values(|bit| 1_i64.checked_shl(bit as u32).unwrap_or(0)),
                signed: false,
                scoped: false,
            },
            "function" => Kind::Function {
                returns: self.target(),
                parameters: self.parameters.iter().map(Self::reference).collect(),
                variadic: false,
                prototyped: true,
            },
            "void" => Kind::Void,
            "boolean" => Kind::Base(Encoding::Boolean),
            "float" => Kind::Base(Encoding::Float),
            "complex" => Kind::Base(Encoding::Complex),
            "character" => Kind::Base(match (self.size, self.signed) {
                (Some(1), true) => Encoding::SignedChar,
                (Some(1), false) => Encoding::UnsignedChar,
                _ => Encoding::Utf,
            }),
            "integer" => Kind::Base(if self.signed { Encoding::Signed } else { Encoding::Unsigned }),
            _ => Kind::Unknown(self.name.clone().unwrap_or_default()),
        };
        Type { name: self.name.as_deref().map(Arc::from), size: self.size, kind }
    }

    fn named_values(&self, value: impl Fn(i64) -> i64) -> Vec<(Arc<str>, i64)> {
        let named = self.values.iter().filter_map(|(name, number)| Some((name.as_ref()?, *number)));
        // gdb names enumerators with their scope; what is made of the type adds it.
        named.map(|(name, number)| (name.rsplit("::").next().unwrap_or(name).into(), value(number))).collect()
    }

    fn enumeration(&self) -> Kind {
        let enumerators = self.named_values(|number| number);
        let signed = enumerators.iter().any(|(_, number)| *number < 0);
        let own = self.name.as_deref().map(|name| format!("{name}::"));
        let scoped = own.is_some_and(|own| {
            self.values.first().and_then(|(name, _)| name.as_deref()).is_some_and(|name| name.starts_with(&own))
        });
        Kind::Enumeration { enumerators, signed, scoped }
    }
}

impl MemberTold {
    fn member(&self) -> Member {
        Member {
            name: self.name.as_deref().filter(|name| !name.is_empty()).map(Arc::from),
            ty: self.ty.reference(),
            offset: self.bit / 8,
            bits: (self.bits > 0).then_some((self.bit, self.bits)),
            base: self.base,
            is_static: false,
        }
    }
}

impl ValueTold {
    /// Where the bytes are.
    fn place(&self) -> Option<Place> {
        if self.optimized_out {
            return Some(Place::OptimizedOut);
        }
        if let Some(address) = self.address {
            return Some(Place::Memory(VirtualAddress(address)));
        }
        let bytes = crate::model::aif::from_hex(self.bytes.as_deref()?)?;
        let Some(known) = &self.known else { return Some(Place::Bytes(bytes)) };
        let known = crate::model::aif::from_hex(known)?;
        let pieces = bytes.iter().zip(known).map(|(byte, known)| ((known != 0).then(|| Place::Bytes(vec![*byte])), 1));
        Some(Place::Pieces(pieces.collect()))
    }
}

/// What the builder of values may ask of gdb.
struct Memory<'a> {
    link: RefCell<&'a mut Link>,
    /// gdb went away while it was asked.
    gone: RefCell<Option<GdbError>>,
}

impl Memory<'_> {
    fn ask(&self, command: &Command) -> Option<super::link::Answered> {
        match self.link.borrow_mut().ask(command) {
            Ok(answered) => Some(answered),
            Err(GdbError::Refused(_)) => None,
            Err(gone) => {
                self.gone.borrow_mut().get_or_insert(gone);
                None
            }
        }
    }
}

impl Surroundings for Memory<'_> {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        match reference {
            TypeRef::Made(made) => made.clone(),
            _ => Arc::new(Type { name: Some("void".into()), size: Some(1), kind: Kind::Void }),
        }
    }

    fn variable(&self, _: &str) -> Option<NamedValue> {
        None
    }

    fn type_named(&self, _: &str) -> Option<TypeRef> {
        None
    }

    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if into.is_empty() {
            return Ok(());
        }
        let command = Command::new("data-read-memory-bytes").word(address).word(into.len());
        let answered = self.ask(&command).ok_or(MemoryFault(address))?;
        // gdb says what it could read, in parts; the first gap is the fault.
        let mut filled = 0;
        for part in answered.results.inside("memory").into_iter().flat_map(|memory| memory.parts()) {
            let begin = part.number("begin").unwrap_or(0);
            if begin != address.0.wrapping_add(filled as u64) {
                break;
            }
            let bytes = part.text("contents").and_then(crate::model::aif::from_hex).unwrap_or_default();
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

    fn register_named(&self, _: &str) -> Option<u16> {
        None
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        let words = self.ask(&Command::console(&format!("info symbol {address}")))?.words;
        symbol_in(&words)
    }
}

/// `main + 4 in section .text of /opt/app`.
fn symbol_in(words: &str) -> Option<(Arc<str>, u64)> {
    let (symbol, _) = words.lines().next()?.split_once(" in section ")?;
    match symbol.rsplit_once(" + ") {
        Some((name, distance)) => Some((name.into(), distance.parse().ok()?)),
        None => Some((symbol.into(), 0)),
    }
}

/// A text of gdb as a value, marked as such.
pub(super) fn text_datum(text: &str, type_name: &str) -> Datum {
    let ty = AifType::String;
    let data = AifValue::String(text.as_bytes().to_vec()).write(&ty).unwrap_or_default();
    Datum { descriptor: ty.to_string(), data, type_name: format!("{type_name}{AS_TEXT}") }
}

impl Debuggee {
    /// Calls the script.
    pub(super) fn script<T: for<'de> Deserialize<'de>>(&mut self, call: &str) -> Result<Result<T, String>, GdbError> {
        let words = self.link.ask(&Command::console(&format!("python rankscope.{call}")))?.words;
        let unheard = || GdbError::Refused(format!("gdb's Python did not answer rankscope.{call}"));
        let line = words.lines().find_map(|line| line.strip_prefix(MARK)).ok_or_else(unheard)?;
        match serde_json::from_str(line) {
            Ok(Told::Failed { error }) => Ok(Err(error)),
            Ok(Told::Well(told)) => Ok(Ok(told)),
            Err(error) => Err(GdbError::Refused(format!("gdb's Python said what cannot be read: {error}"))),
        }
    }

    /// The value of an expression at a frame.
    pub(super) fn evaluate(
        &mut self,
        thread: u32,
        frame: u32,
        expression: &str,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        if !self.python {
            return self.evaluate_as_text(thread, frame, expression);
        }
        let digits = crate::model::aif::to_hex(expression.as_bytes());
        match self.script::<ValueTold>(&format!("evaluate({thread}, {frame}, \"{digits}\")"))? {
            Ok(told) => self.datum(&told),
            Err(error) => Ok(Err(failure_in(expression, &error))),
        }
    }

    fn evaluate_as_text(
        &mut self,
        thread: u32,
        frame: u32,
        expression: &str,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        let command = Command::new("data-evaluate-expression").word("--thread").word(thread);
        let answered = match self.link.ask(&command.word("--frame").word(frame).word(expression)) {
            Ok(answered) => answered,
            Err(GdbError::Refused(why)) => return Ok(Err(failure_in(expression, &why))),
            Err(gone) => return Err(gone),
        };
        let whatis = self.link.ask(&Command::console(&format!("whatis {expression}"))).map(|answered| answered.words);
        let name = whatis.unwrap_or_default();
        let name = name.trim().strip_prefix("type = ").unwrap_or_default();
        Ok(Ok(text_datum(answered.results.text("value").unwrap_or_default(), name)))
    }

    /// What the script told, as data.
    pub(super) fn datum(&mut self, told: &ValueTold) -> Result<Result<Datum, Failure>, GdbError> {
        if let Some(error) = &told.error {
            return Ok(Err(failure(error)));
        }
        if let Some(text) = &told.text {
            return Ok(Ok(text_datum(text, &told.type_name)));
        }
        let (Some(ty), Some(place)) = (&told.ty, told.place()) else {
            return Ok(Err(failure("gdb tells nothing of the value")));
        };
        let memory = Memory { link: RefCell::new(&mut self.link), gone: RefCell::new(None) };
        let datum = Value::new(ty.reference(), place).to_datum(&memory);
        if let Some(gone) = memory.gone.into_inner() {
            return Err(gone);
        }
        Ok(datum.map(|datum| Datum { type_name: told.type_name.clone(), ..datum }).map_err(Failure::from))
    }

    /// The same for a variable.
    pub(super) fn variable(&mut self, told: NamedTold) -> Result<Variable, GdbError> {
        let type_name = told.value.type_name.clone();
        let value = if told.value.optimized_out {
            VariableValue::Unknown { why: "optimized out".to_owned(), type_name }
        } else {
            match self.datum(&told.value)? {
                Ok(datum) => VariableValue::Known(datum),
                Err(failure) => VariableValue::Unknown { why: format!("error: {}", failure.message), type_name },
            }
        };
        Ok(Variable { name: told.name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::symbol_in;

    #[test]
    fn symbols_are_read() {
        for (words, wanted) in [
            ("main in section .text of /opt/app\n", Some(("main", 0))),
            ("operator+ (int) + 17 in section .text\n", Some(("operator+ (int)", 17))),
            ("No symbol matches 0x8.\n", None),
            ("", None),
        ] {
            let wanted = wanted.map(|(name, distance)| (name.into(), distance));
            assert_eq!(symbol_in(words), wanted);
        }
    }
}
