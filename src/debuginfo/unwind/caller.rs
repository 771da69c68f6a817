//! Finds the registers of a frame's caller: by call frame information (DWARF 5, 6.4) or, without any, by the
//! conventions of compilers.

use super::call_frames::{CallFrames, FrameRules};
use super::registers::{Home, RBP, RIP, RSP, Registers};
use super::thread_access::ReadMemory;
use crate::dwarf::expression::{EvaluationFault, Evaluator, no_entry_value, no_frame_base, no_thread_local};
use crate::images::image::Image;
use crate::images::loaded::LoadedImages;
use crate::types::description::MemoryFault;
use gimli::{CfaRule, RegisterRule};
use model::{FileAddress, LoadBias, VirtualAddress};

/// The reason the caller cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwindFault {
    /// The stack cannot be read.
    #[error(transparent)]
    Memory(#[from] MemoryFault),
    /// There is no unwind information for this address.
    #[error("no unwind information for {0}")]
    NoInformation(VirtualAddress),
    /// The unwind rules are damaged or need an unknown value.
    #[error("unwind information for {0} cannot be used")]
    Unusable(VirtualAddress),
    /// The caller's frame would be further in than its callee's.
    #[error("previous frame inner to this frame (corrupt stack?)")]
    Corrupt,
}

/// The caller of a frame.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The caller's registers at the return address.
    pub registers: Registers,
    /// The canonical frame address of the callee.
    pub cfa: VirtualAddress,
    /// True if the callee is a signal frame made by the kernel: its caller was interrupted, not calling.
    pub signal: bool,
    /// True if found by convention, without unwind information.
    pub guessed: bool,
}

/// Callee-saved registers (System V ABI, 3.2.1).
const PRESERVED: [u16; 6] = [3, 6, 12, 13, 14, 15];

/// Returns the address to look up for a frame: a call's return address may belong to the next function, so use the byte
/// before.
pub(crate) fn lookup_address(pc: VirtualAddress, interrupted: bool) -> VirtualAddress {
    if interrupted { pc } else { VirtualAddress(pc.0.wrapping_sub(1)) }
}

/// True if the code at an address is the return trampoline of a signal handler.
pub(crate) fn is_signal_frame(
    images: &LoadedImages,
    pc: VirtualAddress,
    interrupted: bool,
    memory: &dyn ReadMemory,
) -> bool {
    let by_information = images
        .locate(lookup_address(pc, interrupted))
        .is_some_and(|(loaded, address)| loaded.image.call_frames().is_signal_frame(address));
    by_information || (!interrupted && returns_from_signal(pc, memory))
}

impl Image {
    /// True if the address is in the return trampoline of a signal handler (`S` in the augmentation of its call frame
    /// information; Linux Standard Base, 10.6.1.1.1).
    pub fn is_signal_trampoline(&self, address: FileAddress) -> bool {
        self.call_frames().is_signal_frame(address)
    }
}

/// Returns the caller of a frame; `None` at the end of the stack. `interrupted` is true if the program counter is the
/// next instruction to run, false if it is the return address of a call.
pub fn unwind_one(
    images: &LoadedImages,
    registers: &Registers,
    interrupted: bool,
    memory: &dyn ReadMemory,
) -> Result<Option<Caller>, UnwindFault> {
    let Some(pc) = registers.pc().filter(|pc| pc.0 != 0 || interrupted) else { return Ok(None) };
    let lookup = lookup_address(pc, interrupted);
    if let Some((loaded, address)) = images.locate(lookup) {
        let frames = loaded.image.call_frames();
        let leaving = Leaving { frames, registers, memory, bias: loaded.bias, pc };
        if let Some(result) = frames.with_rules(address, |rules| leaving.apply(&rules)) {
            let signal = frames.is_signal_frame(address);
            return Ok(result?.map(|caller| Caller { signal, ..caller }));
        }
    }
    if !interrupted && returns_from_signal(pc, memory) {
        return interrupted_by_signal(registers, memory).map(Some);
    }
    by_convention(images, registers, interrupted, memory)
}

struct Leaving<'a> {
    frames: &'a CallFrames,
    registers: &'a Registers,
    memory: &'a dyn ReadMemory,
    bias: LoadBias,
    pc: VirtualAddress,
}

impl Leaving<'_> {
    fn apply(&self, rules: &FrameRules<'_>) -> Result<Option<Caller>, UnwindFault> {
        let cfa = match rules.row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                let base = self.registers.get(register.0).ok_or(UnwindFault::Unusable(self.pc))?;
                base.wrapping_add_signed(*offset)
            }
            CfaRule::Expression(expression) => self.number(*expression, rules, None)?,
        };
        let mut caller = *self.registers;
        // Like gdb, keep the values of registers without a rule, though functions may change some.
        caller.put(RIP, None, Home::Nowhere);
        caller.put(RSP, Some(cfa), Home::Nowhere);
        for (register, rule) in rules.row.registers() {
            let number = if register.0 == rules.return_address { RIP } else { register.0 };
            let (value, home) = match rule {
                RegisterRule::Undefined if number == RIP => return Ok(None),
                RegisterRule::Undefined => (None, Home::Nowhere),
                RegisterRule::SameValue => (self.registers.get(number), self.registers.home(number)),
                RegisterRule::Offset(offset) => self.saved(cfa.wrapping_add_signed(*offset))?,
                RegisterRule::ValOffset(offset) => (Some(cfa.wrapping_add_signed(*offset)), Home::Nowhere),
                RegisterRule::Register(other) => (self.registers.get(other.0), self.registers.home(other.0)),
                RegisterRule::Expression(expression) => self.saved(self.number(*expression, rules, Some(cfa))?)?,
                RegisterRule::ValExpression(expression) => {
                    (Some(self.number(*expression, rules, Some(cfa))?), Home::Nowhere)
                }
                RegisterRule::Constant(value) => (Some(*value), Home::Nowhere),
                _ => (None, Home::Nowhere),
            };
            caller.put(number, value, home);
        }
        if caller.pc().is_none_or(|pc| pc.0 == 0) {
            return Ok(None);
        }
        Ok(Some(Caller { registers: caller, cfa: VirtualAddress(cfa), signal: false, guessed: false }))
    }

    fn saved(&self, address: u64) -> Result<(Option<u64>, Home), UnwindFault> {
        let address = VirtualAddress(address);
        Ok((Some(self.memory.word(address)?), Home::Memory(address)))
    }

    fn number(
        &self,
        expression: gimli::UnwindExpression<usize>,
        rules: &FrameRules<'_>,
        initial: Option<u64>,
    ) -> Result<u64, UnwindFault> {
        let unusable = UnwindFault::Unusable(self.pc);
        let expression = self.frames.expression(expression, rules.section).ok_or(unusable.clone())?;
        let evaluator = Evaluator {
            registers: self.registers,
            thread_register: &|_| None,
            memory: self.memory,
            bias: self.bias,
            cfa: None,
            object: None,
            frame_base: &no_frame_base,
            thread_local: &no_thread_local,
            entry_value: &no_entry_value,
            unit: None,
            at: None,
        };
        evaluator.number(expression, rules.encoding, initial).map_err(|fault| match fault {
            EvaluationFault::Memory(fault) => UnwindFault::Memory(fault),
            _ => unusable,
        })
    }
}

/// `mov $15,%rax; syscall`: the C library's return trampoline for signal handlers.
fn returns_from_signal(pc: VirtualAddress, memory: &dyn ReadMemory) -> bool {
    let mut code = [0; 9];
    memory.read(pc, &mut code).is_ok() && code == [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05]
}

/// Restores the registers that the kernel saved before it called a handler (`struct ucontext`, sigreturn(2)); the stack
/// pointer points to them once the handler has returned.
fn interrupted_by_signal(registers: &Registers, memory: &dyn ReadMemory) -> Result<Caller, UnwindFault> {
    /// In the order of `struct sigcontext`, by DWARF number.
    const ORDER: [u16; 18] = [8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, RSP, RIP, 49];
    let sp = registers.sp().ok_or(UnwindFault::Corrupt)?;
    let mut caller = *registers;
    for (index, number) in ORDER.iter().enumerate() {
        let address = VirtualAddress(sp.0.wrapping_add(40 + 8 * index as u64));
        caller.put(*number, Some(memory.word(address)?), Home::Memory(address));
    }
    Ok(Caller { registers: caller, cfa: sp, signal: true, guessed: false })
}

/// Unwinds without information: the return address is on top of the stack before a frame is made and after it is gone,
/// and next to the saved frame pointer elsewhere.
fn by_convention(
    images: &LoadedImages,
    registers: &Registers,
    interrupted: bool,
    memory: &dyn ReadMemory,
) -> Result<Option<Caller>, UnwindFault> {
    let pc = registers.pc().unwrap_or_default();
    let sp = registers.sp().ok_or(UnwindFault::NoInformation(pc))?;
    let above = |offset: u64| VirtualAddress(sp.0.wrapping_add(offset));
    let leave = |return_at: VirtualAddress, frame_at: Option<VirtualAddress>| -> Result<_, UnwindFault> {
        let mut caller = *registers;
        for number in (0..=RIP).filter(|number| !PRESERVED.contains(number)) {
            caller.put(number, None, Home::Nowhere);
        }
        caller.put(RIP, Some(memory.word(return_at)?), Home::Memory(return_at));
        if let Some(at) = frame_at {
            caller.put(RBP, Some(memory.word(at)?), Home::Memory(at));
        }
        let cfa = VirtualAddress(return_at.0.wrapping_add(8));
        caller.put(RSP, Some(cfa.0), Home::Nowhere);
        Ok(Some(Caller { registers: caller, cfa, signal: false, guessed: false }))
    };
    if interrupted {
        let Some((loaded, address)) = images.locate(pc) else {
            // A call through a bad pointer: the stack is as the call left it.
            return leave(sp, None).map(|caller| guess(images, caller));
        };
        let mut code = [0; 5];
        let at = memory.read(pc, &mut code).is_ok().then_some(code);
        let entry = loaded.image.function_at(address).map(|function| function.entry);
        let within = entry.map(|entry| address.0.wrapping_sub(entry.0));
        let is_return = at.is_some_and(|code| matches!(code.first(), Some(0xc3 | 0xc2)));
        let is_push = at.is_some_and(|code| code.first() == Some(&0x55));
        let is_landing = at.is_some_and(|code| code.starts_with(&[0xf3, 0x0f, 0x1e, 0xfa]));
        let is_frame_move = at.is_some_and(|code| code.starts_with(&[0x48, 0x89, 0xe5]));
        if within == Some(0)
            || is_return
            || is_landing
            || (is_push && within == Some(4))
            || loaded.image.file().is_plt(address)
        {
            return leave(sp, None);
        }
        if is_frame_move && matches!(within, Some(1 | 5)) {
            return leave(above(8), Some(sp));
        }
    }
    let frame = registers.get(RBP).filter(|frame| *frame >= sp.0).ok_or(UnwindFault::NoInformation(pc))?;
    let caller = leave(VirtualAddress(frame.wrapping_add(8)), Some(VirtualAddress(frame)))?;
    guess(images, caller).map(Some).ok_or(UnwindFault::NoInformation(pc))
}

/// Accepts a guessed caller if its return address is in code.
fn guess(images: &LoadedImages, caller: Option<Caller>) -> Option<Caller> {
    let caller = caller.filter(|caller| returns_into_code(images, caller))?;
    Some(Caller { guessed: true, ..caller })
}

fn returns_into_code(images: &LoadedImages, caller: &Caller) -> bool {
    let place = caller.registers.pc().and_then(|pc| images.locate(pc));
    place.is_some_and(|(loaded, address)| {
        loaded.image.file().segments().iter().any(|segment| segment.executable && segment.addresses.contains(&address))
    })
}
