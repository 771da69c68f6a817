//! Converts gdb's types and the program's memory to AIF. A script inside gdb gives a value's type and place
//! (`script_answers`); its bytes are converted as in the native engine. Output of pretty-printers: `printed_children`.

use super::gdb_history::GdbHistory;
use super::memory::Memory;
use super::script_answers::{NamedTold, ValueTold};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure, failure_in};
use crate::gdb::session::gdb::Gdb;
use expr::{EvalContext, Value, written_by_gdb};
use model::aif::{AifType, AifValue, FormatOptions, format};
use model::{
    BreakpointId, Context, Datum, Failure, PrintOptions, PrintSwitch, Returned, ThreadId, Variable, VariableValue,
};
use serde::Deserialize;
use std::collections::HashMap;

/// Suffix of the type's name if a value is gdb's text, not data.
const AS_TEXT: &str = " (as gdb prints it)";

/// The place where gdb keeps a value.
#[derive(Clone, Copy)]
enum Kept {
    Nowhere,
    /// The last value of gdb's history; `raw`: described without pretty-printers.
    InHistory {
        raw: bool,
    },
}

/// Evaluates expressions. Keeps gdb's print limits and the newest breakpoint.
#[derive(Debug, Default)]
pub(in crate::gdb) struct Values {
    /// The print limits set in gdb.
    limits: PrintOptions,
    /// The breakpoint that was set last, for `$bpnum`.
    newest_point: Option<BreakpointId>,
    pub(super) history: GdbHistory,
}

/// Wraps a text of gdb as a value, marked by [`AS_TEXT`].
pub(in crate::gdb) fn text_datum(text: &str, type_name: &str) -> Datum {
    let ty = AifType::Titled(Box::new(AifType::Void { size: 0 }));
    let words = AifValue::Titled(text.to_owned(), Box::new(AifValue::Scalar(0)));
    let data = words.write(&ty).unwrap_or_default();
    Datum { descriptor: ty.to_string(), data, type_name: format!("{type_name}{AS_TEXT}") }
}

fn absent(why: &str) -> (AifType, AifValue) {
    (AifType::Optional(Box::new(AifType::Void { size: 0 })), AifValue::Unavailable(why.to_owned()))
}

/// Parses gdb's text for an unavailable value: `<error reading variable: failed to get range bounds>`.
fn missing(text: &str) -> Option<(AifType, AifValue)> {
    let why = text.strip_prefix('<')?.strip_suffix('>')?;
    let none = why.starts_with("error reading variable: ") || ["not allocated", "not associated"].contains(&why);
    none.then(|| absent(why))
}

/// Builds a value for the frame's language.
fn spoken(language: &str, ty: AifType, value: &AifValue, type_name: &str) -> Result<Datum, Failure> {
    let ty = match written_by_gdb(language) {
        Some(language) => AifType::Spoken { language, ty: Box::new(ty) },
        None => ty,
    };
    let data = value.write(&ty).map_err(|error| failure(&error.to_string()))?;
    Ok(Datum { descriptor: ty.to_string(), data, type_name: type_name.to_owned() })
}

fn in_words(words: &str, told: &ValueTold) -> Result<Datum, Failure> {
    match missing(words) {
        Some((ty, value)) => spoken(&told.language, ty, &value, &told.type_name),
        None => Ok(text_datum(words, &told.type_name)),
    }
}

/// True if the data formats to gdb's own text.
fn says_as_much(datum: &Datum, told: &ValueTold, limits: PrintOptions) -> bool {
    let bare = Datum { type_name: String::new(), ..datum.clone() };
    // gdb writes no class before the text.
    let switches = limits.switches.with(PrintSwitch::Object, false);
    let how = FormatOptions { switches, ..FormatOptions::within(limits) };
    format(&bare, &how).ok() == told.plain_text
}

impl Values {
    pub(in crate::gdb) fn note_newest_point(&mut self, id: BreakpointId) {
        self.newest_point = Some(id);
    }

    pub(in crate::gdb) fn evaluate(
        &mut self,
        gdb: &mut Gdb,
        thread: ThreadId,
        frame: u32,
        expression: &str,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        self.say_newest_point(gdb, expression)?;
        if let Err(why) = self.history.check(gdb, expression)? {
            return Ok(Err(failure(&why)));
        }
        if !gdb.has_python() {
            return self.evaluate_as_text(gdb, thread, frame, expression);
        }
        self.evaluate_as_data(gdb, thread, frame, expression, Kept::Nowhere)
    }

    /// Returns the return value in the record of a stop.
    pub(in crate::gdb) fn returned(
        &mut self,
        gdb: &mut Gdb,
        thread: ThreadId,
        results: &Results,
    ) -> Result<Option<Returned>, GdbError> {
        let Some(text) = results.text("return-value") else { return Ok(None) };
        let variable = results.text("gdb-result-var");
        let told = match variable {
            Some(variable) => self.evaluate(gdb, thread, 0, variable)?.ok(),
            None => None,
        };
        let number = variable.and_then(|variable| variable.strip_prefix('$')?.parse().ok());
        Ok(Some(Returned { value: told.unwrap_or_else(|| text_datum(text, "")), number }))
    }

    /// Like [`Self::evaluate`], and adds the value to gdb's history.
    pub(in crate::gdb) fn print(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        context: Context,
        expression: &str,
        raw: bool,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        self.say_newest_point(gdb, expression)?;
        if let Err(why) = self.history.check(gdb, expression)? {
            return Ok(Err(failure(&why)));
        }
        let thread = inferior.checked_thread(gdb, context.thread)?;
        if gdb.has_python() {
            return self.evaluate_as_data(gdb, thread, context.frame, expression, Kept::InHistory { raw });
        }
        inferior.select(gdb, context)?;
        let said = match gdb
            .ask(&Command::console(&format!("print{} -- {expression}", if raw { " -raw-values" } else { "" })))
        {
            Ok(answered) => answered.words,
            Err(GdbError::Refused(why)) => return Ok(Err(failure_in(expression, &why))),
            Err(gone) => return Err(gone),
        };
        let text = said.trim_end().split_once(" = ").map_or(said.as_str(), |(_, value)| value);
        let type_name = self.type_name_of(gdb, "$")?;
        Ok(Ok(text_datum(text, &type_name)))
    }

    fn evaluate_as_data(
        &mut self,
        gdb: &mut Gdb,
        thread: ThreadId,
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
        match gdb.script::<serde_json::Value>(&call)? {
            Ok(told) => match ValueTold::deserialize(told) {
                Ok(told) => self.datum(gdb, &told),
                // Uninitialised array bounds may exceed the range of our numbers.
                Err(_) => self.evaluate_as_text(gdb, thread, frame, expression),
            },
            Err(error) => Ok(Err(failure_in(expression, &error))),
        }
    }

    /// Sets gdb's print limits.
    pub(in crate::gdb) fn set_limits(&mut self, gdb: &mut Gdb, limits: PrintOptions) -> Result<(), GdbError> {
        if self.limits == limits {
            return Ok(());
        }
        let word = |limit: u32| if limit == u32::MAX { "unlimited".to_owned() } else { limit.to_string() };
        let of = |print: PrintOptions| {
            let numbers = [("elements", print.elements), ("repeats", print.repeats), ("max-depth", print.max_depth)];
            let numbers = numbers.map(|(name, limit)| (name, word(limit)));
            // Without addresses, gdb leaves them out of frames and breakpoints, too.
            let switches = PrintSwitch::ALL.iter().filter(|(_, switch, _)| *switch != PrintSwitch::Address);
            let switches = switches.map(|(name, switch, _)| (*name, if print.has(*switch) { "on" } else { "off" }));
            numbers.into_iter().chain(switches.map(|(name, state)| (name, state.to_owned()))).collect::<Vec<_>>()
        };
        for ((name, value), (_, before)) in of(limits).into_iter().zip(of(self.limits)) {
            // A gdb that lacks the setting prints as if it had its usual value.
            if value != before
                && let Err(gone @ GdbError::Gone(_)) = gdb.ask(&Command::console(&format!("set print {name} {value}")))
            {
                return Err(gone);
            }
        }
        let shown = limits.has(PrintSwitch::Address);
        if gdb.has_python() && shown != self.limits.has(PrintSwitch::Address) {
            let word = if shown { "True" } else { "False" };
            gdb.ask(&Command::console(&format!("python rankscope.shows_addresses = {word}")))?;
        }
        self.limits = limits;
        Ok(())
    }

    /// Sets `$bpnum` to our number of the newest breakpoint: gdb numbers breakpoints differently.
    fn say_newest_point(&mut self, gdb: &mut Gdb, expression: &str) -> Result<(), GdbError> {
        if expression.contains("$bpnum")
            && let Some(id) = self.newest_point
        {
            gdb.ask(&Command::console(&format!("set $bpnum = {id}")))?;
        }
        Ok(())
    }

    fn type_name_of(&mut self, gdb: &mut Gdb, expression: &str) -> Result<String, GdbError> {
        let said = match gdb.ask(&Command::console(&format!("whatis {expression}"))) {
            Ok(answered) => answered.words,
            Err(GdbError::Refused(_)) => String::new(),
            Err(gone) => return Err(gone),
        };
        Ok(said.trim().strip_prefix("type = ").unwrap_or_default().to_owned())
    }

    pub(in crate::gdb) fn evaluate_as_text(
        &mut self,
        gdb: &mut Gdb,
        thread: ThreadId,
        frame: u32,
        expression: &str,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        let command = Command::new("data-evaluate-expression").word("--thread").word(thread);
        let answered = match gdb.ask(&command.word("--frame").word(frame).word(expression)) {
            Ok(answered) => answered,
            Err(GdbError::Refused(why)) => return Ok(Err(failure_in(expression, &why))),
            Err(gone) => return Err(gone),
        };
        let name = self.type_name_of(gdb, expression)?;
        Ok(Ok(text_datum(answered.results.text("value").unwrap_or_default(), &name)))
    }

    /// Converts the script's answer to data.
    pub(in crate::gdb) fn datum(
        &mut self,
        gdb: &mut Gdb,
        told: &ValueTold,
    ) -> Result<Result<Datum, Failure>, GdbError> {
        if let Some(error) = &told.error {
            return Ok(Err(failure(error)));
        }
        let Some(text) = &told.text else {
            let built = self.parts(gdb, told)?;
            let data = built.and_then(|(ty, value)| spoken(&told.language, ty, &value, &told.type_name));
            return Ok(match &told.otherwise {
                Some(words) if !data.as_ref().is_ok_and(|datum| says_as_much(datum, told, self.limits)) => {
                    in_words(words, told)
                }
                _ => data,
            });
        };
        if let Some(shown) = &told.shown
            && let Ok((ty, value)) = self.tree(gdb, shown)?
            && let Ok(datum) = spoken(&told.language, ty, &value, &told.type_name)
        {
            // Data that formats like gdb's text is preferred: it has parts.
            if says_as_much(&datum, told, self.limits) {
                return Ok(Ok(datum));
            }
        }
        Ok(in_words(text, told))
    }

    /// Converts a value to its AIF type and content.
    pub(in crate::gdb) fn parts(
        &mut self,
        gdb: &mut Gdb,
        told: &ValueTold,
    ) -> Result<Result<(AifType, AifValue), Failure>, GdbError> {
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
            return Ok(Err(failure("gdb reports nothing about the value")));
        };
        let mut shared = HashMap::new();
        ty.shared(&mut shared);
        let memory = Memory::new(gdb, shared);
        let context = EvalContext::new(&memory, &memory).with_limits(self.limits);
        let datum = Value::new(ty.reference(), place).to_datum(&context);
        if let Some(gone) = memory.into_gone() {
            return Err(gone);
        }
        let parsed = datum.map_err(Failure::from).and_then(|datum| datum.parsed().map_err(|e| failure(&e.to_string())));
        Ok(parsed)
    }

    pub(in crate::gdb) fn variable(&mut self, gdb: &mut Gdb, told: NamedTold) -> Result<Variable, GdbError> {
        let type_name = told.value.type_name.clone();
        let value = if told.value.optimized_out {
            VariableValue::Unknown { why: "optimized out".to_owned(), type_name }
        } else {
            match self.datum(gdb, &told.value)? {
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
    use super::missing;
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
}
