//! Looking at memory, and on from where it was looked at last.

use super::run::Target;
use super::task::Then;
use super::{CommandId, Controller};
use crate::controller::command::{Examined, Form, MemoryFormat};
use crate::controller::report::Content;
use crate::controller::value::{memory_end, printed_memory};
use crate::model::aif::FormatLetter;
use crate::model::{Answer, Context, Examination, LocationSpec, Operation, ProcessSet, VirtualAddress};

/// Characters read for one string of `x/s`.
const STRING: u32 = 256;

/// What `x` showed last: where the next one goes on, and how.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    unit: u32,
    form: Form,
    ends: Vec<(ProcessSet, End)>,
}

/// Where what was shown ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Here.
    At(VirtualAddress),
    /// Behind the instruction that is here.
    Behind(VirtualAddress),
}

/// Bytes of a unit, as gdb: those of the last time, except for formats that go with a size of their own.
fn unit_of(examined: Examined, form: Form, last: Option<u32>) -> u32 {
    let Form::Values(letter) = form else { return last.unwrap_or(4) };
    let of_letter = match letter {
        FormatLetter::Address => 8,
        FormatLetter::Float => last.filter(|&unit| unit >= 4).unwrap_or(8),
        FormatLetter::Character => 1,
        // Characters of 8 bytes there are none.
        FormatLetter::String => return examined.unit.filter(|&unit| unit <= 4).unwrap_or(1),
        _ => last.unwrap_or(4),
    };
    examined.unit.unwrap_or(of_letter)
}

fn question(form: Form, unit: u32, count: u32, address: String, context: Context) -> Operation {
    match form {
        Form::Instructions => {
            Operation::Disassemble { context, at: Some(LocationSpec::Address(address)), count: Some(count) }
        }
        Form::Values(letter) => {
            let (unit, examined) = match letter {
                FormatLetter::String if unit == 1 => (STRING, Examination::Texts(count)),
                FormatLetter::String => (STRING.saturating_mul(unit), Examination::WideTexts { count, unit }),
                _ => (unit, Examination::Units(unit)),
            };
            let length = count.saturating_mul(unit);
            Operation::ReadMemory { context, address, offset: 0, length, examined: Some(examined) }
        }
    }
}

impl Controller {
    pub(super) fn examine(&mut self, id: CommandId, target: Target, examined: Examined, address: Option<String>) {
        let seen = self.seen.as_ref();
        let form = examined.form.or(seen.map(|seen| seen.form)).unwrap_or(Form::Values(FormatLetter::Hexadecimal));
        let unit = unit_of(examined, form, seen.map(|seen| seen.unit));
        let context = self.context(&target);
        let then = |address: &str, skip| match form {
            Form::Instructions => Then::Instructions { skip, examined: Some(unit) },
            Form::Values(format) => {
                Then::Memory(MemoryFormat { count: examined.count, unit, format }, address.to_owned())
            }
        };
        if let Some(address) = address {
            let (then, operation) = (then(&address, 0), question(form, unit, examined.count, address, context));
            self.ask_stopped(id, target, operation, then);
            return;
        }
        let Some(seen) = self.seen.clone() else {
            self.refuse(id, ProcessSet::new(), "x has shown nothing yet to go on from: an address is missing");
            return;
        };
        let Some(mut ranks) = self.stopped_of(id, &target) else { return };
        let skip =
            usize::from(form == Form::Instructions && seen.ends.iter().any(|(_, end)| matches!(end, End::Behind(_))));
        let mut questions = Vec::new();
        for (of, end) in &seen.ends {
            let common = ranks.intersection(of);
            ranks.remove_all(&common);
            let (address, count) = match end {
                End::At(address) => (address, examined.count),
                End::Behind(address) => (address, examined.count.saturating_add(1)),
            };
            questions.push((common, question(form, unit, count, address.to_string(), context)));
        }
        if !ranks.is_empty() {
            self.error(id, ranks, "x has shown nothing of it yet to go on from: an address is missing", None);
        }
        self.ask(id, questions, then("", skip));
    }

    /// Shows memory, and remembers where it ends.
    pub(super) fn memory_known(
        &mut self,
        id: CommandId,
        format: MemoryFormat,
        good: Vec<(usize, ProcessSet, Answer)>,
    ) -> bool {
        let (mut contents, mut ends) = (Vec::new(), Vec::new());
        for (_, ranks, answer) in good {
            let Answer::Memory(address, bytes) = answer else { continue };
            let rows = printed_memory(address, &bytes, format);
            let end = memory_end(address, &bytes, format);
            let short = format.format != FormatLetter::String && (bytes.len() as u32) < format.count * format.unit;
            if short || bytes.is_empty() {
                self.error(id, ranks.clone(), format!("Cannot access memory at address {end}"), None);
            }
            if !rows.is_empty() {
                ends.push((ranks.clone(), End::At(end)));
                contents.push(Content::Memory { ranks, address, rows, bytes });
            }
        }
        self.remember_seen(Seen { unit: format.unit, form: Form::Values(format.format), ends });
        if format.format == FormatLetter::Address {
            return self.say_with_symbols(id, contents);
        }
        for content in contents {
            self.say(id, content);
        }
        false
    }

    /// Shows instructions; those of an `x` are gone on from.
    pub(super) fn instructions_known(
        &mut self,
        id: CommandId,
        skip: usize,
        examined: Option<u32>,
        good: Vec<(usize, ProcessSet, Answer)>,
    ) {
        let mut ends = Vec::new();
        for (_, ranks, answer) in good {
            let Answer::Instructions(mut instructions) = answer else { continue };
            instructions.drain(..skip.min(instructions.len()));
            let last = instructions.last().and_then(|last| last.code.address);
            ends.extend(last.map(|address| (ranks.clone(), End::Behind(address))));
            self.say(id, Content::Instructions(ranks, instructions));
        }
        if let Some(unit) = examined {
            self.remember_seen(Seen { unit, form: Form::Instructions, ends });
        }
    }

    /// What is shown next, without an address, is what is at these.
    pub(super) fn go_on_from(&mut self, places: Vec<(ProcessSet, VirtualAddress)>) {
        let (unit, form) =
            self.seen.as_ref().map_or((4, Form::Values(FormatLetter::Hexadecimal)), |seen| (seen.unit, seen.form));
        let ends = places.into_iter().map(|(ranks, address)| (ranks, End::At(address))).collect();
        self.remember_seen(Seen { unit, form, ends });
    }

    fn remember_seen(&mut self, seen: Seen) {
        if !seen.ends.is_empty() {
            self.seen = Some(seen);
        }
    }
}
