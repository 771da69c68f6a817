//! `info frame`, `info source`, `info scope`, `info address` and `info vtbl`, in gdb's words.

use super::{StoppedThread, place_sites};
use debuginfo::named_file::{self, LONGEST_SOURCE};
use debuginfo::{Home, RBP, REGISTERS, RSP, RegisterClass, StackFrame, unwind_one};
use expr::{FrameContext, named_to_variable, virtual_tables};
use model::aif::{FormatOptions, format};
use model::{
    Answer, ArgumentDetail, ArgumentValue, Context, Datum, ErrorCode, Failure, FrameArgument, Inquiry, LocationSpec,
    Site, SourcePlace, Variable, VariableValue, VirtualAddress,
};
use std::fmt::Write as _;

/// Answers an inquiry with text.
pub(super) fn told(thread: &StoppedThread<'_>, context: Context, inquiry: &Inquiry) -> Result<Answer, Failure> {
    let text = match inquiry {
        Inquiry::Frame => frame(thread, context.frame)?,
        Inquiry::Source => {
            let frame = thread.frame(context.frame)?;
            source(thread, frame.frame.source.as_ref(), &thread.in_frame(Some(&frame)))
        }
        Inquiry::SourceAt(location) => {
            let (address, site) = first_site(thread, context.frame, location)?;
            source(thread, site.source.as_ref(), &thread.in_frame(Some(&StackFrame::at_address(address))))
        }
        Inquiry::Scope(location) => scope(thread, context.frame, location)?,
        Inquiry::VirtualTables(expression) => virtual_tables_of(thread, context.frame, expression)?,
        Inquiry::Address(name) => address(thread, context.frame, name)?,
    };
    Ok(Answer::Text(text.trim_end().to_owned()))
}

fn frame(thread: &StoppedThread<'_>, level: u32) -> Result<String, Failure> {
    let stack = thread.stack(level.saturating_sub(1), Some(level.saturating_add(1)));
    let at = |level: u32| stack.frames.iter().find(|frame| frame.frame.level == level);
    let nothing = || Failure::new(ErrorCode::NO_STACK, "No stack.");
    let own = at(level).ok_or_else(nothing)?;
    let (inner, outer) = (level.checked_sub(1).and_then(at), at(level.saturating_add(1)));
    let cfa = |frame: &StackFrame| frame.cfa.unwrap_or_default();
    let pc = own.registers.pc().unwrap_or_default();
    thread.at(level, |view| {
        let mut text = format!("Stack level {level}, frame at {}:\n rip = {pc}", cfa(own));
        if let Some(function) = &own.frame.function {
            let _ = write!(text, " in {function}");
        }
        if let Some(place) = &own.frame.source {
            let _ = write!(text, " ({}:{})", view.file_as_compiled(&place.file), place.line);
        }
        let caller = unwind_one(thread.images, &own.registers, own.interrupted, thread.access).ok().flatten();
        match caller.as_ref().and_then(|caller| caller.registers.pc()) {
            Some(saved) => _ = writeln!(text, "; saved rip = {saved}"),
            None => text.push_str("; saved rip = <not saved>\n"),
        }
        let calls = outer.map(|outer| {
            if own.frame.inlined {
                format!(" inlined into frame {}", outer.frame.level)
            } else {
                format!(" called by frame at {}", cfa(outer))
            }
        });
        let called = inner.map(|inner| format!(" caller of frame at {}", cfa(inner)));
        let around: Vec<String> = calls.into_iter().chain(called).collect();
        if !around.is_empty() {
            let _ = writeln!(text, "{}", around.join(","));
        }
        if let Some(language) = view.language() {
            let _ = writeln!(text, " source language {language}.");
        }
        if own.frame.inlined {
            text.push_str(" Arglist at unknown address.\n Locals at unknown address, Previous frame's sp in rsp\n");
            return Ok(text);
        }
        let base = frame_base(thread, own, pc);
        let arguments: Vec<String> =
            view.arguments().iter().map(|named| argument(named_to_variable(named, &view.eval()))).collect();
        let _ = writeln!(text, " Arglist at {base}, args: {}", arguments.join(", "));
        let _ = writeln!(text, " Locals at {base}, Previous frame's sp is {}", cfa(own));
        let registers = caller.iter().flat_map(|caller| {
            let general = REGISTERS.iter().filter(|row| row.class == RegisterClass::General && row.number != RSP);
            general.filter_map(|row| match caller.registers.home(row.number) {
                // An inner frame has saved it.
                home if home == own.registers.home(row.number) => None,
                Home::Memory(address) => Some(format!("{} at {address}", row.name)),
                _ => None,
            })
        });
        let registers: Vec<String> = registers.collect();
        if !registers.is_empty() {
            let _ = writeln!(text, " Saved registers:\n  {}", registers.join(", "));
        }
        Ok(text)
    })
}

/// As in the line of a frame: of a structure only that there is one.
fn argument(variable: Variable) -> String {
    let FrameArgument { name, value } = FrameArgument::new(variable).in_detail(ArgumentDetail::Scalars);
    let value = match value {
        ArgumentValue::Shared(VariableValue::Known(datum)) => {
            let untyped = Datum { type_name: String::new(), ..datum };
            format(&untyped, &FormatOptions::default()).unwrap_or_else(|error| format!("<{error}>"))
        }
        ArgumentValue::Shared(VariableValue::Unknown { why, .. }) => format!("<{why}>"),
        _ => "...".to_owned(),
    };
    format!("{name}={value}")
}

/// The base of arguments and variables in gdb's words, whatever the debug information says: the frame pointer, once the
/// function has set it, and before that where it will point to.
fn frame_base(thread: &StoppedThread<'_>, own: &StackFrame, pc: VirtualAddress) -> VirtualAddress {
    const LANDING: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
    let sp = own.registers.sp().unwrap_or_default();
    let unmoved = VirtualAddress(sp.0.wrapping_sub(8));
    let entry = thread
        .images
        .locate(pc)
        .and_then(|(loaded, inside)| Some(loaded.bias.loaded(loaded.image.function_at(inside)?.entry)));
    let Some(mut at) = entry else { return unmoved };
    let mut code = [0; 8];
    if thread.access.read(at, &mut code).is_err() {
        return unmoved;
    }
    let mut code = &code[..];
    if let Some(rest) = code.strip_prefix(&LANDING[..]) {
        (code, at) = (rest, VirtualAddress(at.0 + 4));
    }
    // push %rbp; mov %rsp,%rbp
    if code.first() != Some(&0x55) || pc.0 <= at.0 {
        return unmoved;
    }
    let moves = matches!(code.get(1..4), Some([0x48, 0x89, 0xe5] | [0x48, 0x8b, 0xec]));
    match own.registers.get(RBP).filter(|_| moves && pc.0 >= at.0 + 4) {
        Some(pointer) => VirtualAddress(pointer),
        None => sp,
    }
}

/// Describes the source file of a place in the code that a context is in.
fn source(thread: &StoppedThread<'_>, place: Option<&SourcePlace>, view: &FrameContext<'_>) -> String {
    let facts = place.and_then(|place| Some((place, view.unit_facts()?)));
    let Some((place, facts)) = facts else { return "No current source file.".to_owned() };
    let mut text = format!("Current source file is {}\n", view.file_as_compiled(&place.file));
    if !facts.directory.is_empty() {
        let _ = writeln!(text, "Compilation directory is {}", facts.directory);
    }
    let path = thread.source_path(&place.file);
    let path = path.canonicalize().unwrap_or(path);
    let _ = writeln!(text, "Located in {}", path.display());
    if let Ok(bytes) = named_file::read(&path, LONGEST_SOURCE) {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
        let _ = writeln!(text, "Contains {lines} line{}.", if lines == 1 { "" } else { "s" });
    }
    let _ = writeln!(text, "Source language is {}.", facts.language);
    if !facts.producer.is_empty() {
        let _ = writeln!(text, "Producer is {}.", facts.producer);
    }
    let _ = writeln!(text, "Compiled with DWARF {} debugging format.", facts.version);
    text.push_str(if facts.has_macros { "Includes" } else { "Does not include" });
    text.push_str(" preprocessor macro info.\n");
    text
}

/// Returns the first place of a location in the code.
fn first_site(
    thread: &StoppedThread<'_>,
    level: u32,
    location: &LocationSpec,
) -> Result<(VirtualAddress, Site), Failure> {
    let sites = place_sites(thread.images, location, Some((thread, level)))?;
    let nothing = || Failure::new(ErrorCode::NO_LINE, format!("No code at {location}."));
    sites.into_iter().next().ok_or_else(nothing)
}

fn scope(thread: &StoppedThread<'_>, level: u32, location: &LocationSpec) -> Result<String, Failure> {
    let (address, _) = first_site(thread, level, location)?;
    let frame = StackFrame::at_address(address);
    let symbols = thread.in_frame(Some(&frame)).declared();
    let mut text = format!("Scope for {location}:\n");
    if symbols.is_empty() {
        text.push_str("Contains no locals or arguments.\n");
    }
    for symbol in symbols {
        let _ = writeln!(text, "{symbol}");
    }
    Ok(text)
}

fn virtual_tables_of(thread: &StoppedThread<'_>, level: u32, expression: &str) -> Result<String, Failure> {
    thread.at(level, |view| {
        let object = view.parse(expression)?.evaluate(&view.eval())?;
        Ok(virtual_tables(&object, &view.eval())?)
    })
}

fn address(thread: &StoppedThread<'_>, level: u32, name: &str) -> Result<String, Failure> {
    let unknown = || Failure::new(ErrorCode::NO_SYMBOL, format!("No symbol \"{name}\" in current context."));
    thread.at(level, |view| view.address_in_words(name).ok_or_else(unknown))
}
