//! Values: gdb's types and the program's memory become AIF. A script inside of gdb says what type a value has and where it is
//! (`script_answers`); what is made of the bytes there is what the native engine makes. What printers show: `printed_children`.

use super::script_answers::{NamedTold, ValueTold};
use crate::gdb::mi::Command;
use crate::gdb::session::fault::{GdbError, failure, failure_in};
use crate::gdb::session::link::Link;
use crate::gdb::state::Debuggee;
use debuginfo::types::{Kind, MemoryFault, NamedValue, Symbols, Type, TypeRef};
use expr::{CallRequest, EvalContext, EvalError, Machine, Value, not_called};
use model::aif::{AifType, AifValue, FormatOptions, Spelling, format};
use model::{Context, Datum, Failure, PrintLimits, Variable, VariableValue, VirtualAddress};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The script.
pub(in crate::gdb) const SCRIPT: &str = concat!(
    include_str!("../inside/shown.py"),
    include_str!("../inside/types.py"),
    include_str!("../inside/content.py"),
    include_str!("../inside/parting.py"),
    include_str!("../inside/instructions.py"),
    include_str!("../inside/asked.py")
);
/// What the script's lines begin with.
const MARK: &str = "rankscope:";
/// What is said behind the type's name when a value is gdb's text, not data.
const AS_TEXT: &str = " (as gdb prints it)";

/// An answer, or why there is none.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Told<T> {
    Failed { error: String },
    Well(T),
}

/// What the builder of values may ask of gdb.
struct Memory<'a> {
    link: RefCell<&'a mut Link>,
    /// gdb went away while it was asked.
    gone: RefCell<Option<GdbError>>,
    /// Members that all values of a type share.
    shared: HashMap<String, NamedValue>,
    limits: PrintLimits,
}

/// What becomes of a value beside that it is told.
#[derive(Clone, Copy)]
enum Kept {
    Nowhere,
    /// It is the last of gdb's history; `raw`: told as if there were no pretty-printers.
    InHistory {
        raw: bool,
    },
}

impl Memory<'_> {
    fn ask(&self, command: &Command) -> Option<crate::gdb::session::link::Answered> {
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

    fn register_named(&self, _: &str) -> Option<u16> {
        None
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        let words = self.ask(&Command::console(&format!("python rankscope.symbol({})", address.0)))?.words;
        symbol_in(words.lines().find_map(|line| line.strip_prefix(MARK))?)
    }
}

impl Machine for Memory<'_> {
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

/// `"0x55555555513d <main+4>"`.
fn symbol_in(words: &str) -> Option<(Arc<str>, u64)> {
    symbol_of(&serde_json::from_str::<String>(words).ok()?)
}

/// `0x55555555513d <main+4>`.
pub(in crate::gdb) fn symbol_of(words: &str) -> Option<(Arc<str>, u64)> {
    let symbol = words.split_once(" <")?.1.strip_suffix('>')?;
    let distance = symbol.rsplit_once('+').and_then(|(name, digits)| Some((name.into(), digits.parse().ok()?)));
    Some(distance.unwrap_or_else(|| (symbol.into(), 0)))
}

/// A text of gdb as a value, marked as such.
pub(in crate::gdb) fn text_datum(text: &str, type_name: &str) -> Datum {
    let ty = AifType::Titled(Box::new(AifType::Void { size: 0 }));
    let words = AifValue::Titled(text.to_owned(), Box::new(AifValue::Scalar(0)));
    let data = words.write(&ty).unwrap_or_default();
    Datum { descriptor: ty.to_string(), data, type_name: format!("{type_name}{AS_TEXT}") }
}

/// A value that is not there.
fn absent(why: &str) -> (AifType, AifValue) {
    (AifType::Optional(Box::new(AifType::Void { size: 0 })), AifValue::Unavailable(why.to_owned()))
}

/// What gdb writes in the place of a value when it has none: `<error reading variable: failed to get range bounds>`.
fn missing(text: &str) -> Option<(AifType, AifValue)> {
    let why = text.strip_prefix('<')?.strip_suffix('>')?;
    let none = why.starts_with("error reading variable: ") || ["not allocated", "not associated"].contains(&why);
    none.then(|| absent(why))
}

/// A value in the language that the frame is in.
fn spoken(language: &str, ty: AifType, value: &AifValue, type_name: &str) -> Result<Datum, Failure> {
    let ty = match language {
        "fortran" => AifType::Spoken { language: Spelling::Fortran, ty: Box::new(ty) },
        _ => ty,
    };
    let data = value.write(&ty).map_err(|error| failure(&error.to_string()))?;
    Ok(Datum { descriptor: ty.to_string(), data, type_name: type_name.to_owned() })
}

/// What gdb writes of a value.
fn in_words(words: &str, told: &ValueTold) -> Result<Datum, Failure> {
    match missing(words) {
        Some((ty, value)) => spoken(&told.language, ty, &value, &told.type_name),
        None => Ok(text_datum(words, &told.type_name)),
    }
}

/// Whether data comes to the words of gdb.
fn says_as_much(datum: &Datum, told: &ValueTold, limits: PrintLimits) -> bool {
    let bare = Datum { type_name: String::new(), ..datum.clone() };
    let how = FormatOptions::within(limits);
    format(&bare, &how).ok() == told.plain_text
}

impl Debuggee {
    /// Calls the script.
    pub(in crate::gdb) fn script<T: for<'de> Deserialize<'de>>(
        &mut self,
        call: &str,
    ) -> Result<Result<T, String>, GdbError> {
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
    pub(in crate::gdb) fn evaluate(
        &mut self,
        thread: u32,
        frame: u32,
        expression: &str,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        self.say_newest_point(expression)?;
        if !self.python {
            return self.evaluate_as_text(thread, frame, expression);
        }
        self.evaluate_as_data(thread, frame, expression, Kept::Nowhere)
    }

    /// The same, and the value becomes the last of gdb's history.
    pub(in crate::gdb) fn print(
        &mut self,
        context: Context,
        expression: &str,
        raw: bool,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        self.say_newest_point(expression)?;
        let thread = self.checked_thread(context.thread)?;
        if self.python {
            return self.evaluate_as_data(thread.0, context.frame, expression, Kept::InHistory { raw });
        }
        self.select(context)?;
        let said = match self
            .link
            .ask(&Command::console(&format!("print{} -- {expression}", if raw { " -raw-values" } else { "" })))
        {
            Ok(answered) => answered.words,
            Err(GdbError::Refused(why)) => return Ok(Err(failure_in(expression, &why))),
            Err(gone) => return Err(gone),
        };
        let text = said.trim_end().split_once(" = ").map_or(said.as_str(), |(_, value)| value);
        let type_name = self.type_name_of("$")?;
        Ok(Ok(text_datum(text, &type_name)))
    }

    fn evaluate_as_data(
        &mut self,
        thread: u32,
        frame: u32,
        expression: &str,
        kept: Kept,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        let digits = model::aif::to_hex(expression.as_bytes());
        let (kept, raw) = match kept {
            Kept::Nowhere => ("False", "False"),
            Kept::InHistory { raw: false } => ("True", "False"),
            Kept::InHistory { raw: true } => ("True", "True"),
        };
        let call = format!("evaluate({thread}, {frame}, \"{digits}\", {kept}, {raw})");
        match self.script::<serde_json::Value>(&call)? {
            Ok(told) => match ValueTold::deserialize(told) {
                Ok(told) => self.datum(&told),
                // Bounds that nobody has set yet may be larger than any number of ours.
                Err(_) => self.evaluate_as_text(thread, frame, expression),
            },
            Err(error) => Ok(Err(failure_in(expression, &error))),
        }
    }

    /// Has gdb show so much of a value.
    pub(in crate::gdb) fn limit(&mut self, limits: PrintLimits) -> Result<(), GdbError> {
        if self.limits == limits {
            return Ok(());
        }
        let word = |limit: u32| if limit == u32::MAX { "unlimited".to_owned() } else { limit.to_string() };
        self.link.ask(&Command::console(&format!("set print elements {}", word(limits.elements))))?;
        self.link.ask(&Command::console(&format!("set print repeats {}", word(limits.repeats))))?;
        self.limits = limits;
        Ok(())
    }

    /// Does something while gdb shows so much of a value.
    pub(in crate::gdb) fn limited<T>(
        &mut self,
        limits: PrintLimits,
        work: impl FnOnce(&mut Self) -> Result<T, GdbError>,
    ) -> Result<T, GdbError> {
        let usual = self.spec.settings.print;
        self.limit(limits)?;
        let done = work(self);
        self.limit(usual)?;
        done
    }

    /// gdb numbers breakpoints in a way of its own, and ours are meant.
    fn say_newest_point(&mut self, expression: &str) -> Result<(), GdbError> {
        if expression.contains("$bpnum")
            && let Some(id) = self.newest_point
        {
            self.link.ask(&Command::console(&format!("set $bpnum = {id}")))?;
        }
        Ok(())
    }

    fn type_name_of(&mut self, expression: &str) -> Result<String, GdbError> {
        let said = match self.link.ask(&Command::console(&format!("whatis {expression}"))) {
            Ok(answered) => answered.words,
            Err(GdbError::Refused(_)) => String::new(),
            Err(gone) => return Err(gone),
        };
        Ok(said.trim().strip_prefix("type = ").unwrap_or_default().to_owned())
    }

    pub(in crate::gdb) fn evaluate_as_text(
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
        let name = self.type_name_of(expression)?;
        Ok(Ok(text_datum(answered.results.text("value").unwrap_or_default(), &name)))
    }

    /// What the script told, as data.
    pub(in crate::gdb) fn datum(&mut self, told: &ValueTold) -> Result<Result<Datum, Failure>, GdbError> {
        if let Some(error) = &told.error {
            return Ok(Err(failure(error)));
        }
        let Some(text) = &told.text else {
            let built = self.parts(told)?;
            let data = built.and_then(|(ty, value)| spoken(&told.language, ty, &value, &told.type_name));
            return Ok(match &told.otherwise {
                Some(words) if !data.as_ref().is_ok_and(|datum| says_as_much(datum, told, self.limits)) => {
                    in_words(words, told)
                }
                _ => data,
            });
        };
        if let Some(shown) = &told.shown
            && let Ok((ty, value)) = self.tree(shown)?
            && let Ok(datum) = spoken(&told.language, ty, &value, &told.type_name)
        {
            // What says the same as gdb's own words is better than these: it has parts.
            if says_as_much(&datum, told, self.limits) {
                return Ok(Ok(datum));
            }
        }
        Ok(in_words(text, told))
    }

    /// A value that is no text: its type and content.
    pub(in crate::gdb) fn parts(&mut self, told: &ValueTold) -> Result<Result<(AifType, AifValue), Failure>, GdbError> {
        if let Some(text) = &told.text {
            return Ok(Ok(missing(text).unwrap_or_else(|| {
                let ty = AifType::Titled(Box::new(AifType::Void { size: 0 }));
                (ty, AifValue::Titled(text.clone(), Box::new(AifValue::Scalar(0))))
            })));
        }
        if told.optimized_out {
            return Ok(Ok(absent("optimized out")));
        }
        let (Some(ty), Some(place)) = (&told.ty, told.place()) else {
            return Ok(Err(failure("gdb tells nothing of the value")));
        };
        let mut shared = HashMap::new();
        ty.shared(&mut shared);
        let memory =
            Memory { link: RefCell::new(&mut self.link), gone: RefCell::new(None), shared, limits: self.limits };
        let datum =
            Value::new(ty.reference(), place).to_datum(&EvalContext::new(&memory, &memory).with_limits(memory.limits));
        if let Some(gone) = memory.gone.into_inner() {
            return Err(gone);
        }
        let parsed = datum.map_err(Failure::from).and_then(|datum| datum.parsed().map_err(|e| failure(&e.to_string())));
        Ok(parsed)
    }

    /// The same for a variable.
    pub(in crate::gdb) fn variable(&mut self, told: NamedTold) -> Result<Variable, GdbError> {
        let type_name = told.value.type_name.clone();
        let value = if told.value.optimized_out {
            VariableValue::Unknown { why: "optimized out".to_owned(), type_name }
        } else {
            match self.datum(&told.value)? {
                Ok(datum) => VariableValue::Known(datum),
                Err(failure) => {
                    let why = format!("error reading variable {} ({})", told.name, failure.message);
                    VariableValue::Unknown { why, type_name }
                }
            }
        };
        Ok(Variable { name: told.name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::{missing, symbol_in};
    use model::aif::AifValue;

    #[test]
    fn what_gdb_has_no_value_of_is_no_text() {
        let told = |text: &str| missing(text).map(|(_, value)| value);
        let why = "error reading variable: failed to get range bounds";
        for why in [why, "not allocated", "not associated"] {
            assert_eq!(told(&format!("<{why}>")), Some(AifValue::Unavailable(why.to_owned())));
        }
        for text in ["<error: no>", "(int &) <error reading variable: no>", "'<error reading variable: x>'", ""] {
            assert_eq!(told(text), None);
        }
    }

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
