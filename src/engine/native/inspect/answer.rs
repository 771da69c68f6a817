//! Answers to the operations that inspect a stopped thread.

use super::{StoppedThread, source_places};
use debuginfo::types::{NamedValue, Symbols};
use debuginfo::{REGISTERS, RegisterClass, register_group, thread_locals};
use expr::FrameContext;
use expr::budget::Budget;
use expr::{Journal, Replay, Value, named_to_variable, note_examined, record, type_text};
use model::{Answer, Context, ErrorCode, Examination, Failure, Operation, RegisterValue, Variable, VirtualAddress};
use std::sync::Arc;

/// The maximum number of bytes of memory read by one operation.
const MOST_MEMORY: u32 = 16 << 20;

/// Performs an operation that inspects a thread, including `WriteMemory` and `Evaluate` with an assignment; `None` for
/// other operations. The caller has chosen the thread of the [`Context`].
pub fn answer(operation: &Operation, thread: &StoppedThread<'_>) -> Option<Answer> {
    let outcome = match operation {
        Operation::Stack { low, high, .. } => frames(thread, *low, *high),
        Operation::FrameArguments { levels, detail, .. } => {
            super::frame_arguments::frame_arguments(thread, levels, *detail)
        }
        Operation::FrameAt(context, address) => frame_at(thread, context, address),
        Operation::StackDepth(_) => frames(thread, 0, None).map(|answer| match answer {
            Answer::Stack(frames) => Answer::Depth(frames.len() as u32),
            other => other,
        }),
        Operation::Evaluate { .. } | Operation::Print { .. } => {
            let journal = Journal::default();
            let answer = answer_with(operation, thread, &journal);
            if journal.take_pending().is_some() {
                thread.access.wants_call();
            }
            Ok(answer)
        }
        Operation::Statistics { context, expression, .. } => super::arrays::statistics(thread, context, expression),
        Operation::Scan { context, expression, condition, .. } => {
            super::arrays::find(thread, context, expression, condition)
        }
        Operation::Array { context, expression, look } => super::arrays::look(thread, context, expression, look),
        Operation::ReadData { context, source, from, length } => {
            super::arrays::read(thread, context, source, (*from, (*length).min(MOST_MEMORY)))
        }
        Operation::TypeOf { context, expression, detail } => thread.at(context.frame, |view| {
            Ok(Answer::Type(type_text(view.parse(expression)?.as_ref(), *detail, &view.eval())?))
        }),
        Operation::Locals(context) => variables(thread, context, |view| view.locals()),
        Operation::Arguments(context) => variables(thread, context, |view| view.arguments()),
        Operation::ThreadLocals(context, glob) => variables(thread, context, |view| thread_locals(view, glob)),
        Operation::Globals(glob) => variables(thread, &Context::default(), |view| view.globals(glob)),
        Operation::Registers(context, names) => registers(thread, context, names),
        Operation::ReadMemory { context, address, offset, length, examined } => {
            read_memory(thread, context, (address, *offset), (*length).min(MOST_MEMORY), *examined)
        }
        Operation::MemoryPage { context, address, offset, length, compared } => {
            super::memory_page::page(thread, context, (address, *offset), *length, *compared)
        }
        Operation::WriteMemory { context, address, offset, data } => thread.at(context.frame, |view| {
            let start = start(address, *offset, view)?;
            view.write(start, data).map_err(|fault| Failure::new(ErrorCode::MEMORY, fault.to_string()))?;
            Ok(Answer::Ok)
        }),
        Operation::Disassemble { context, at, count, flavor } => {
            super::disassembly::disassemble(thread, *context, at.as_ref(), *count, *flavor)
        }
        Operation::DisassembleRange { context, start, end, flavor } => {
            super::disassembly::disassemble_range(thread, *context, (start, end), *flavor)
        }
        Operation::InstructionsBefore { context, address, count, through, flavor } => {
            super::disassembly::disassemble_before(thread, *context, (address, *through), *count, *flavor)
        }
        Operation::CodePage { context, at, before, count, flavor } => {
            super::code_page::page(thread, *context, (*at, *before, *count), *flavor)
        }
        Operation::Symbols(addresses) => symbols(thread, addresses),
        Operation::ListSymbols(context, query) => super::listing::listed(thread, *context, query),
        Operation::FindBytes(context, search) => super::memory_search::found(thread, *context, search),
        Operation::Tell(context, inquiry) => super::info::told(thread, *context, inquiry),
        Operation::Resolve(location, context, line) => {
            source_places(thread, location, context.frame, *line).map(Answer::Places)
        }
        _ => return None,
    };
    Some(outcome.unwrap_or_else(Answer::Failed))
}

/// Performs `Evaluate` or `Print`, up to the first function call whose result is not in the journal.
pub(super) fn answer_with(operation: &Operation, thread: &StoppedThread<'_>, journal: &Journal) -> Answer {
    let (context, expression, kept, raw, limits) = match operation {
        Operation::Evaluate { context, expression } => (context, expression, false, false, None),
        Operation::Print { context, expression, raw, limits, unrecorded, .. } => {
            (context, expression, !unrecorded, *raw, *limits)
        }
        _ => return Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, "This is not an expression.")),
    };
    let outcome = thread.at(context.frame, |view| {
        let replay = Replay::new(view.view(), journal);
        let value = view.parse(expression)?.evaluate(&view.eval().on(&replay))?;
        let usual = limits.and_then(|limits| Some(view.eval().value_history()?.limit(limits)));
        let dynamic = value.as_dynamic(kept, &view.eval());
        let shown = dynamic.as_ref().unwrap_or(&value);
        let datum = if raw { shown.to_raw_datum(&view.eval()) } else { shown.to_datum(&view.eval()) };
        if let Some((value_history, usual)) = view.eval().value_history().zip(usual) {
            value_history.limit(usual);
        }
        let datum = datum?;
        if kept {
            record(&value, &view.eval())?;
        }
        Ok(Answer::Data(datum))
    });
    outcome.unwrap_or_else(Answer::Failed)
}

fn frames(thread: &StoppedThread<'_>, low: u32, high: Option<u32>) -> Result<Answer, Failure> {
    let stack = thread.stack(low, high);
    if stack.frames.is_empty() && low == 0 {
        return Ok(Answer::Stack(vec![thread.innermost()]));
    }
    Ok(Answer::Stack(stack.frames.into_iter().map(|frame| frame.frame).collect()))
}

/// Finds the frame of a stack address: its canonical frame address, which `info frame` shows. An inlined function has
/// that of its caller; the innermost frame is found, as in gdb.
fn frame_at(thread: &StoppedThread<'_>, context: &Context, address: &str) -> Result<Answer, Failure> {
    let wanted = thread.at(context.frame, |view| Ok(evaluate(address, view)?.as_address(&view.eval())?))?;
    let found = thread.stack(0, None).frames.into_iter().find(|frame| frame.cfa == Some(wanted));
    let nothing = || Failure::new(ErrorCode::NO_STACK, format!("No frame at address {address}."));
    Ok(Answer::Stack(vec![found.ok_or_else(nothing)?.frame]))
}

fn evaluate(expression: &str, view: &FrameContext<'_>) -> Result<Value, Failure> {
    Ok(view.parse(expression)?.evaluate(&view.eval())?)
}

fn variables(
    thread: &StoppedThread<'_>,
    context: &Context,
    which: impl FnOnce(&FrameContext<'_>) -> Vec<NamedValue>,
) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let variable = |named: &NamedValue| {
            let _share = view.eval().budget().map(Budget::share);
            named_to_variable(named, &view.eval())
        };
        let found: Vec<Variable> = which(view).iter().map(variable).collect();
        Ok(Answer::Variables(found))
    })
}

fn registers(thread: &StoppedThread<'_>, context: &Context, names: &[String]) -> Result<Answer, Failure> {
    let shown = |class| !matches!(class, RegisterClass::X87 | RegisterClass::Vector | RegisterClass::Control);
    thread.at(context.frame, |view| {
        let value = |name: &str| -> Result<RegisterValue, Failure> {
            let value = evaluate(&format!("${name}"), view)?.to_datum(&view.eval())?;
            Ok(RegisterValue { name: name.to_owned(), value })
        };
        if names.is_empty() {
            let general = REGISTERS.iter().filter(|row| shown(row.class));
            return Ok(Answer::Registers(general.filter_map(|row| value(row.name).ok()).collect()));
        }
        let known = |name: &str| {
            let name = name.trim_start_matches('$').to_ascii_lowercase();
            let unknown = || Failure::new(ErrorCode::NO_SYMBOL, format!("Invalid register `{name}'"));
            view.register_named(&name).ok_or_else(unknown)?;
            value(&name)
        };
        let mut found = Vec::new();
        for name in names {
            match register_group(name) {
                // The processor may not have all of them.
                Some(group) => found.extend(group.iter().filter_map(|row| value(row.name).ok())),
                None => found.push(known(name)?),
            }
        }
        Ok(Answer::Registers(found))
    })
}

fn start(address: &str, offset: i64, view: &FrameContext<'_>) -> Result<VirtualAddress, Failure> {
    let base = evaluate(address, view)?.as_address(&view.eval())?;
    Ok(VirtualAddress(base.0.wrapping_add_signed(offset)))
}

fn read_memory(
    thread: &StoppedThread<'_>,
    context: &Context,
    (address, offset): (&str, i64),
    length: u32,
    examined: Option<Examination>,
) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let start = start(address, offset, view)?;
        let mut bytes = vec![0; length as usize];
        if let Err(fault) = view.read(start, &mut bytes) {
            // The bytes before the first unreadable address are still returned.
            let readable = fault.0.0.wrapping_sub(start.0).min(u64::from(length)) as usize;
            bytes.truncate(readable);
            let rest = view.read(start, &mut bytes);
            if bytes.is_empty() || rest.is_err() {
                return Err(Failure::new(ErrorCode::MEMORY, fault.to_string()));
            }
        }
        if let Some(examined) = examined {
            note_examined(examined, start, &bytes, &view.eval());
        }
        Ok(Answer::Memory(start, bytes))
    })
}

fn symbols(thread: &StoppedThread<'_>, addresses: &[VirtualAddress]) -> Result<Answer, Failure> {
    thread.at(0, |view| {
        let name = |(name, offset): (Arc<str>, u64)| match offset {
            0 => name.to_string(),
            offset => format!("{name}+{offset}"),
        };
        Ok(Answer::Names(addresses.iter().map(|address| view.symbol_at(*address).map(name)).collect()))
    })
}
