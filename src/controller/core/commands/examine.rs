//! Examines memory, and continues from the place examined last.

use crate::command::{CodeForm, CommandId, Examined, Form, MemoryFormat};
use crate::core::commands::source::code_lines;
use crate::core::commands::symbols;
use crate::core::interpreter::Interpreter;
use crate::core::seen::{End, Seen};
use crate::core::target::Target;
use crate::core::tasks::asking::readable_of;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{CodeLines, Content, memory_end, printed_memory};
use crate::state::State;
use model::aif::FormatLetter;
use model::{Answer, Context, DisassemblyFlavor, Examination, LocationSpec, Operation, ProcessSet, VirtualAddress};

/// The characters of a string shown at once if there is no limit.
const LONGEST: u32 = 1 << 16;

/// Returns the bytes of a unit, as gdb does: those of the last time, except for formats with a size of their own.
fn unit_of(examined: Examined, form: Form, last: Option<u32>) -> u32 {
    let Form::Values(letter) = form else { return last.unwrap_or(4) };
    let of_letter = match letter {
        FormatLetter::Address => 8,
        FormatLetter::Float => last.filter(|&unit| unit >= 4).unwrap_or(8),
        FormatLetter::Character => 1,
        // There are no characters of 8 bytes.
        FormatLetter::String => return examined.unit.filter(|&unit| unit <= 4).unwrap_or(1),
        _ => last.unwrap_or(4),
    };
    examined.unit.unwrap_or(of_letter)
}

/// True for forms of which a size can be given: `x/w` after instructions shows words, as in gdb.
fn has_units(form: Form) -> bool {
    !matches!(form, Form::Instructions)
}

/// Returns the number of units that an `x` without arguments shows next, as gdb does.
fn again(format: MemoryFormat) -> u32 {
    if format.back { 1 } else { format.count }
}

pub(in crate::core) fn question(
    form: Form,
    format: MemoryFormat,
    address: String,
    context: Context,
    flavor: DisassemblyFlavor,
) -> Operation {
    let MemoryFormat { count, unit, limit, back, .. } = format;
    match form {
        Form::Instructions if back => Operation::InstructionsBefore { context, address, count, through: false, flavor },
        Form::Instructions => {
            Operation::Disassemble { context, at: Some(LocationSpec::Address(address)), count: Some(count), flavor }
        }
        Form::Values(letter) => {
            let (unit, examined) = match letter {
                FormatLetter::String => (limit.saturating_mul(unit), Examination::Texts { count, unit, limit }),
                _ => (unit, Examination::Units(unit)),
            };
            // The bytes that follow show whether the last string continues.
            let more = if letter == FormatLetter::String { format.unit } else { 0 };
            let length = count.saturating_mul(unit).saturating_add(more);
            let offset = if back { -i64::from(length) } else { 0 };
            Operation::ReadMemory { context, address, offset, length, examined: Some(examined) }
        }
    }
}

pub(in crate::core) fn examine(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    examined: Examined,
    address: Option<String>,
) {
    let seen = core.seen.as_ref();
    let last = seen.map(|seen| seen.form).filter(|form| examined.unit.is_none() || has_units(*form));
    let form = examined.form.or(last).unwrap_or(Form::Values(FormatLetter::Hexadecimal));
    let unit = unit_of(examined, form, seen.map(|seen| seen.unit));
    let context = core.context(&target);
    let limit = text_limit(&core.state);
    let flavor = core.state.variables.disassembly_flavor();
    let letter = match form {
        Form::Values(letter) => letter,
        Form::Instructions => FormatLetter::Hexadecimal,
    };
    let count = examined.count.or(seen.filter(|_| address.is_none()).map(|seen| seen.count)).unwrap_or(1);
    let format = MemoryFormat { count, unit, format: letter, limit, back: examined.back };
    if format.back && letter == FormatLetter::String {
        core.refuse(id, ProcessSet::new(), "x cannot go back over strings");
        return;
    }
    let then = |address: &str, skip| match form {
        Form::Instructions => Then::Instructions { skip, examined: Some(format), form: CodeForm::default() },
        Form::Values(_) => Then::Memory(format, address.to_owned()),
    };
    if let Some(address) = address {
        let (then, operation) = (then(&address, 0), question(form, format, address, context, flavor));
        core.ask_stopped(id, target, operation, then);
        return;
    }
    let Some(seen) = core.seen.clone() else {
        core.refuse(id, ProcessSet::new(), "expected an address: x has shown nothing yet");
        return;
    };
    let Some(mut ranks) = readable_of(core, id, &target) else { return };
    let behind = seen.ends.iter().any(|(_, end)| matches!(end, End::Behind(_)));
    let skip = usize::from(form == Form::Instructions && behind && !format.back);
    let mut questions = Vec::new();
    for (of, end) in &seen.ends {
        let common = ranks.intersection(of);
        ranks.remove_all(&common);
        let more = u32::from(skip > 0 && matches!(end, End::Behind(_)));
        let format = MemoryFormat { count: format.count.saturating_add(more), ..format };
        let mut operation = question(form, format, end.address().to_string(), context, flavor);
        if let Operation::InstructionsBefore { through, .. } = &mut operation {
            *through = matches!(end, End::Behind(_));
        }
        questions.push((common, operation));
    }
    if !ranks.is_empty() {
        core.error(id, ranks, "expected an address: x has shown nothing of these ranks yet", None);
    }
    core.ask(id, questions, then("", skip));
}

/// Returns the number of characters of a string shown at once.
pub(in crate::core) fn text_limit(state: &State) -> u32 {
    u32::try_from(state.format_options().limit).unwrap_or(LONGEST).min(LONGEST)
}

/// Shows memory, and remembers where it ends.
pub(in crate::core) fn memory_known(
    core: &mut Interpreter,
    id: CommandId,
    format: MemoryFormat,
    good: Answers,
) -> bool {
    let (mut contents, mut ends) = (Vec::new(), Vec::new());
    for (_, ranks, answer) in good {
        let Answer::Memory(address, bytes) = answer else { continue };
        let rows = printed_memory(address, &bytes, format, &core.state.format_options());
        let end = memory_end(address, &bytes, format);
        let short = format.format != FormatLetter::String && (bytes.len() as u32) < format.count * format.unit;
        if short || bytes.is_empty() {
            core.error(id, ranks.clone(), format!("Cannot access memory at address {end}"), None);
        }
        if !rows.is_empty() {
            ends.push((ranks.clone(), End::At(if format.back { address } else { end })));
            contents.push(Content::Memory { ranks, address, rows, bytes });
        }
    }
    remember_seen(core, Seen { count: again(format), unit: format.unit, form: Form::Values(format.format), ends });
    let is_address = format.format == FormatLetter::Address;
    symbols::say_with_symbols(core, id, contents.into_iter().map(|content| (content, is_address)).collect())
}

/// Shows instructions; the next `x` continues after those of an `x`.
/// Reports instructions; true if the command continues.
pub(in crate::core) fn instructions_known(
    core: &mut Interpreter,
    id: CommandId,
    skip: usize,
    (examined, form): (Option<MemoryFormat>, CodeForm),
    good: Answers,
) -> bool {
    let (mut ends, mut code) = (Vec::new(), Vec::new());
    for (_, ranks, answer) in good {
        let Answer::Instructions(mut instructions) = answer else { continue };
        instructions.drain(..skip.min(instructions.len()));
        let end = match examined {
            Some(format) if format.back => instructions.first().and_then(|first| first.code.address).map(End::At),
            _ => instructions.last().and_then(|last| last.code.address).map(End::Behind),
        };
        ends.extend(end.map(|end| (ranks.clone(), end)));
        code.push((ranks, instructions));
    }
    if let Some(format) = examined {
        remember_seen(core, Seen { count: again(format), unit: format.unit, form: Form::Instructions, ends });
    }
    if form.lines {
        return code_lines::show_with_text(core, id, code, form);
    }
    for (ranks, code) in code {
        core.say(id, Content::Instructions(ranks, code, form, CodeLines::new()));
    }
    false
}

/// Records the addresses from which the next `x` without an address continues.
pub(in crate::core) fn go_on_from(core: &mut Interpreter, places: Vec<(ProcessSet, VirtualAddress)>) {
    let (unit, form) =
        core.seen.as_ref().map_or((4, Form::Values(FormatLetter::Hexadecimal)), |seen| (seen.unit, seen.form));
    let ends = places.into_iter().map(|(ranks, address)| (ranks, End::At(address))).collect();
    remember_seen(core, Seen { count: 1, unit, form, ends });
}

fn remember_seen(core: &mut Interpreter, seen: Seen) {
    if !seen.ends.is_empty() {
        core.seen = Some(seen);
    }
}
