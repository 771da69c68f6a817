//! The stack of a thread as the user sees it: inlined functions have frames, and `main` is the outermost.

use super::caller::{UnwindFault, is_signal_frame, lookup_address, unwind_one};
use super::memory_cache::Window;
use super::registers::{RIP, Registers};
use super::tail_calls;
use super::thread_access::ReadMemory;
use crate::images::loaded::LoadedImages;
use model::{CodePlace, Frame, SourcePlace, VirtualAddress};
use std::sync::Arc;

/// A frame, with the state needed to evaluate expressions in it.
#[derive(Clone, Debug)]
pub struct StackFrame {
    /// The frame as it is displayed.
    pub frame: Frame,
    /// The registers in the function (inlined frames share those of the frame that contains them).
    pub registers: Registers,
    /// The canonical frame address, constant until the function returns. `None` if it cannot be computed.
    pub cfa: Option<VirtualAddress>,
    /// True if the program counter is the next instruction to run: in the innermost frame, or in one that a signal
    /// interrupted.
    pub interrupted: bool,
    /// The number of frames at this program counter further in: 0 for the innermost inlined function.
    pub inline_depth: u32,
    /// For a frame replaced by a tail call: the return addresses in its callers, innermost first. The registers are
    /// then those of the last of these, which has a frame.
    pub given_up_to: Vec<VirtualAddress>,
}

impl StackFrame {
    /// Returns an address of the instruction that the frame is executing: of the call, unless it was interrupted.
    pub fn lookup_address(&self) -> Option<VirtualAddress> {
        Some(lookup_address(self.registers.pc()?, self.interrupted))
    }

    /// Makes the frame of a thread that is about to execute an address, knowing nothing else: names resolve, but few
    /// have values.
    pub fn at_address(address: VirtualAddress) -> Self {
        let mut registers = Registers::new();
        registers.set(RIP, address.0);
        Self { interrupted: true, ..Self::bare(&registers, None, Vec::new()) }
    }

    /// Makes a frame for evaluation, not for display.
    pub(crate) fn bare(registers: &Registers, cfa: Option<VirtualAddress>, given_up_to: Vec<VirtualAddress>) -> Self {
        let code = CodePlace { module: None, offset: 0, address: registers.pc() };
        let frame =
            Frame { level: 0, function: None, source: None, code, inlined: false, guessed: false, thread: None };
        Self { frame, registers: *registers, cfa, interrupted: false, inline_depth: 0, given_up_to }
    }
}

/// Frames of a thread, and the reason why there are no more.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The requested levels, innermost first.
    pub frames: Vec<StackFrame>,
    /// The reason unwinding stopped before the outermost function.
    pub fault: Option<UnwindFault>,
}

/// A deeper stack is a cycle.
const DEEPEST: u32 = 4_000_000;

/// gdb's name for a frame that the kernel made for a signal handler.
const SIGNAL_FRAME: &str = "<signal handler called>";

/// Marks the debugger's place on a stack where it called a function.
const CALLED_FRAME: &str = "<function called from rankscope>";

/// Returns levels `low` to `high` (inclusive; `None`: to the end) of the stack of a thread with these registers.
pub fn stack(
    images: &LoadedImages,
    registers: &Registers,
    memory: &dyn ReadMemory,
    low: u32,
    high: Option<u32>,
) -> Stack {
    stack_from(images, registers, 0, memory, low, high)
}

/// As [`stack`], for a thread at the first instruction of inlined functions that has not entered the innermost
/// `outside` of them yet (see [`inlined_at_entry`]): those are not shown, and the line is that of the call.
pub fn stack_from(
    images: &LoadedImages,
    registers: &Registers,
    outside: u32,
    memory: &dyn ReadMemory,
    low: u32,
    high: Option<u32>,
) -> Stack {
    let mut stack = Stack::default();
    let mut level = 0;
    let mut outside = outside;
    stack.fault = walk(images, registers, true, memory, &mut |physical| {
        let hidden = std::mem::take(&mut outside).min(physical.inlined);
        let count = physical.inlined + 1 - hidden;
        let wanted = level + count > low;
        if wanted {
            let frames = physical.frames(images, level, hidden);
            stack.frames.extend(frames.into_iter().filter(|frame| frame.frame.level >= low));
        }
        level += count;
        high.is_none_or(|high| level <= high)
    });
    if let Some(high) = high {
        stack.frames.retain(|frame| frame.frame.level <= high);
    }
    stack
}

/// Returns the names of the functions of a frame and of those around it, innermost first, at most so many frames.
pub fn functions_from(
    images: &LoadedImages,
    frame: &StackFrame,
    memory: &dyn ReadMemory,
    most: u32,
) -> Vec<Option<Arc<str>>> {
    let most = most as usize;
    let mut names: Vec<Option<Arc<str>>> = Vec::new();
    // A function that a tail call has replaced has no registers of its own: those are of a caller.
    let replaced = !frame.given_up_to.is_empty();
    names.extend(replaced.then(|| frame.frame.function.clone()));
    let mut hidden = if replaced { 0 } else { frame.inline_depth };
    walk(images, &frame.registers, frame.interrupted, memory, &mut |physical| {
        let frames = physical.frames(images, hidden, std::mem::take(&mut hidden));
        names.extend(frames.into_iter().map(|frame| frame.frame.function));
        names.len() < most
    });
    names.truncate(most);
    names
}

/// Returns the number of nested inlined functions that begin at exactly this address. Like gdb, a thread that reaches
/// the address by itself is outside of them, and a step enters them one by one. A thread stopped there by a breakpoint
/// on one of them is inside.
pub fn inlined_at_entry(images: &LoadedImages, pc: VirtualAddress) -> u32 {
    let Some((loaded, address)) = images.locate(pc) else { return 0 };
    let mut frames = loaded.image.inline_frames(address);
    frames.pop();
    frames.iter().take_while(|frame| frame.entry == address || frame.range.start == address).count() as u32
}

/// The number of frames, inlined ones included.
pub fn stack_depth(images: &LoadedImages, registers: &Registers, memory: &dyn ReadMemory) -> u32 {
    let mut depth = 0;
    walk(images, registers, true, memory, &mut |physical| {
        depth += physical.inlined + 1;
        true
    });
    depth
}

/// Returns the registers with which the caller continues once the frame's function has returned. Functions that a tail
/// call has replaced are skipped, and an inlined function returns with the one around it. The caller of the program's
/// main function is found, too.
pub fn registers_of_caller(images: &LoadedImages, frame: &StackFrame, memory: &dyn ReadMemory) -> Option<Registers> {
    if let Some(place) = frame.given_up_to.last() {
        return Some(frame.registers.at(*place));
    }
    let caller = unwind_one(images, &frame.registers, frame.interrupted, &Window::new(memory)).ok()??;
    Some(caller.registers)
}

/// Returns at most `most` frames from a frame outwards, including those at its own program counter.
pub(crate) fn callers(
    images: &LoadedImages,
    frame: &StackFrame,
    memory: &dyn ReadMemory,
    most: usize,
) -> Vec<StackFrame> {
    let mut frames = Vec::new();
    walk(images, &frame.registers, frame.interrupted, memory, &mut |physical| {
        frames.extend(physical.frames(images, frames.len() as u32, 0));
        frames.len() < most
    });
    frames
}

/// A physical frame on the stack, with the functions inlined into it.
struct Physical<'a> {
    registers: &'a Registers,
    pc: VirtualAddress,
    cfa: Option<VirtualAddress>,
    interrupted: bool,
    kind: FrameKind<'a>,
    inlined: u32,
    /// True if found by convention, without unwind information.
    guessed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind<'a> {
    Call,
    /// Made by the kernel, for a signal handler.
    Signal,
    /// Made by the debugger, for a function that it called.
    Called,
    /// Replaced by a tail call; holds the return addresses in its callers.
    TailCall(&'a [VirtualAddress]),
}

impl Physical<'_> {
    fn frames(&self, images: &LoadedImages, level: u32, hidden: u32) -> Vec<StackFrame> {
        let lookup = lookup_address(self.pc, self.interrupted);
        let place = images.locate(lookup);
        let code = CodePlace {
            module: place.map(|(loaded, _)| Arc::clone(&loaded.name)),
            offset: place.map_or(self.pc.0, |(loaded, _)| loaded.bias.unloaded(self.pc).0),
            address: Some(self.pc),
        };
        let make = |depth: u32, function: Option<Arc<str>>, source: Option<SourcePlace>, inlined: bool| StackFrame {
            frame: Frame {
                level: level + depth - hidden,
                function,
                source,
                code: code.clone(),
                inlined,
                guessed: self.guessed,
                thread: None,
            },
            registers: *self.registers,
            cfa: self.cfa,
            interrupted: self.interrupted,
            inline_depth: depth,
            given_up_to: if let FrameKind::TailCall(callers) = self.kind { callers.to_vec() } else { Vec::new() },
        };
        if let FrameKind::Signal | FrameKind::Called = self.kind {
            let name = if self.kind == FrameKind::Signal { SIGNAL_FRAME } else { CALLED_FRAME };
            return vec![make(hidden, Some(name.into()), None, false)];
        }
        let Some((loaded, address)) = place else { return vec![make(hidden, None, None, false)] };
        let mut source = loaded.image.line_at(address).map(|row| row.place);
        let functions = loaded.image.inline_frames(address);
        if functions.is_empty() {
            let function = loaded.image.function_at(address).map(|function| function.name);
            return vec![make(hidden, function, source, false)];
        }
        if let FrameKind::TailCall(_) = self.kind {
            // Of functions inlined into each other, gdb shows the innermost, which made the call.
            let innermost = functions.into_iter().next().map(|function| function.function);
            return vec![make(0, innermost, source, false)];
        }
        let last = functions.len() - 1;
        let mut frames = Vec::with_capacity(functions.len());
        for (depth, function) in functions.into_iter().enumerate() {
            if depth as u32 >= hidden {
                frames.push(make(depth as u32, Some(function.function), source, depth < last));
            }
            source = function.call;
        }
        frames
    }
}

/// Calls `visit` for each frame, innermost first, until it returns `false` or the stack ends.
fn walk(
    images: &LoadedImages,
    registers: &Registers,
    innermost: bool,
    memory: &dyn ReadMemory,
    visit: &mut dyn FnMut(&Physical<'_>) -> bool,
) -> Option<UnwindFault> {
    let window = Window::new(memory);
    let main = main_function(images);
    let mut registers = *registers;
    let mut interrupted = innermost;
    let mut guessed = false;
    let mut last_cfa: Option<VirtualAddress> = None;
    for _ in 0..DEEPEST {
        let pc = registers.pc()?;
        let caller = unwind_one(images, &registers, interrupted, &window);
        let cfa = caller.as_ref().ok().and_then(Option::as_ref).map(|caller| caller.cfa);
        let signal = match &caller {
            Ok(Some(caller)) => caller.signal,
            _ => is_signal_frame(images, pc, interrupted, &window),
        };
        let place = images.locate(lookup_address(pc, interrupted));
        let inlined = if signal { 0 } else { inline_count(images, lookup_address(pc, interrupted)) };
        let kind = if signal { FrameKind::Signal } else { FrameKind::Call };
        let physical = Physical { registers: &registers, pc, cfa, interrupted, kind, inlined, guessed };
        if !visit(&physical) {
            return None;
        }
        let entry = place.and_then(|(loaded, address)| Some(loaded.bias.loaded(loaded.image.function_entry(address)?)));
        if entry.is_some() && entry == main {
            return None;
        }
        match caller {
            Err(fault) => return Some(fault),
            Ok(None) => return None,
            Ok(Some(caller)) => {
                // A signal handler may run on its own stack, at any address.
                if let (Some(last), false) = (last_cfa, signal)
                    && caller.cfa <= last
                {
                    return Some(UnwindFault::Corrupt);
                }
                last_cfa = (!signal).then_some(caller.cfa);
                let back = caller.registers.pc().filter(|_| !signal);
                if let Some(saved) = back.and_then(|back| memory.called_from(back, caller.cfa)) {
                    let (kind, pc) = (FrameKind::Called, back.unwrap_or_default());
                    let registers_then = &caller.registers;
                    let physical = Physical {
                        registers: registers_then,
                        pc,
                        cfa: None,
                        interrupted: false,
                        kind,
                        inlined: 0,
                        guessed: false,
                    };
                    if !visit(&physical) {
                        return None;
                    }
                    (registers, interrupted, last_cfa, guessed) = (saved, true, None, false);
                    continue;
                }
                if let (false, Some(return_address)) = (signal, caller.registers.pc()) {
                    let mut callers = tail_calls::between(images, pc, interrupted, &caller.registers, &window);
                    callers.push(return_address);
                    while let [place, above @ ..] = callers.as_slice()
                        && !above.is_empty()
                    {
                        let registers = caller.registers.at(*place);
                        let (kind, cfa) = (FrameKind::TailCall(above), Some(caller.cfa));
                        let physical = Physical {
                            registers: &registers,
                            pc: *place,
                            cfa,
                            interrupted: false,
                            kind,
                            inlined: 0,
                            guessed: false,
                        };
                        if !visit(&physical) {
                            return None;
                        }
                        callers.remove(0);
                    }
                }
                registers = caller.registers;
                interrupted = signal;
                guessed = caller.guessed;
            }
        }
    }
    Some(UnwindFault::Corrupt)
}

fn inline_count(images: &LoadedImages, address: VirtualAddress) -> u32 {
    images.locate(address).map_or(0, |(loaded, address)| loaded.image.inline_count(address))
}

/// Returns the entry of the main program; its callers are not shown.
fn main_function(images: &LoadedImages) -> Option<VirtualAddress> {
    let executable = images.executable()?;
    Some(executable.bias.loaded(executable.image.entry_points().main_program()?))
}
