//! Finds out which floating-point exception has stopped a thread, and lets it go on as if that were masked.

use super::masks::{clear_sse, clear_x87, mask_again, sse_flags, sse_masks, sse_raised, x87_raised};
use super::thread_fpu::FpuTraps;
use super::trap::{FpuTrap, INEXACT, OVERFLOW, Plan, Reason, UNDERFLOW, instruction_at, is_of_x87, trap_of_x87};
use super::x87_result::{overflown, underflown};
use crate::native::ptrace::address_space::operand;
use crate::native::ptrace::process::Process;
use crate::native::ptrace::requests::{self, Status, Tid};
use crate::process::procfs::handles_signal;
use iced_x86::{Instruction, OpKind, Register};
use model::FloatExceptions;
use nix::libc::{self, user_fpregs_struct, user_regs_struct};

/// The codes of SIGFPE for floating-point numbers, `FPE_FLTDIV` to `FPE_FLTINV` (sigaction(2)).
const CODES: std::ops::RangeInclusive<i32> = 3..=7;

impl Process {
    /// Finds the reason of a SIGFPE that a thread has stopped for, before the masks of the program are restored.
    pub(in crate::native::ptrace) fn reason_of_fpe(&mut self, tid: Tid) -> Reason {
        let traps = self.threads.fpu_traps();
        let Some(thread) = self.threads.get_mut(tid).filter(|_| traps.were_any()) else {
            return Reason::Other;
        };
        let code = requests::signal_information(tid).map_or(0, |information| information.si_code);
        let (Ok(registers), Ok(floats)) = (thread.registers(&self.space), requests::float_registers(tid)) else {
            return Reason::Other;
        };
        if !CODES.contains(&code) {
            return Reason::Other;
        }
        let unmasked = thread.fpu.of_debugger();
        let (of_sse, of_x87) = (sse_raised(&floats), x87_raised(&floats));
        if of_x87 != 0 && (of_sse == 0 || is_of_x87(&self.space, registers.rip)) {
            let foreign = of_x87 & !unmasked.x87;
            let left = left_over(traps, tid, foreign, sse_masks(&floats));
            let is_of_program = foreign & !left != 0;
            if !is_of_program && left != 0 {
                let mut floats = floats;
                mask_again(&mut floats, 0, left);
                let _ = requests::set_float_registers(tid, floats);
            }
            let mut trap = trap_of_x87(&self.space, &registers, &floats, of_x87);
            if is_of_program {
                (trap.plan, trap.is_of_program) = (Plan::Nothing, true);
            }
            thread.fpu.trap = Some(trap);
            return Reason::FloatingPoint(trap);
        }
        let mut raised = of_sse;
        if of_sse.count_ones() > 1 && !self.space.has_site(registers.rip) {
            // Flags may be left from before. Without them, the instruction sets those that it raises.
            let mut without = floats;
            without.mxcsr &= !u32::from(sse_flags(&floats));
            let outcome = requests::set_float_registers(tid, without).and_then(|()| thread.step_now());
            if let Ok(mut now) = requests::float_registers(tid) {
                raised = sse_raised(&now);
                now.mxcsr |= u32::from(sse_flags(&floats));
                let _ = requests::set_float_registers(tid, now);
            }
            match outcome {
                Ok(Status::Stopped(libc::SIGFPE)) | Err(_) => {}
                Ok(instead) => return Reason::Instead(instead),
            }
        }
        let foreign = raised & !unmasked.sse;
        let left = left_over(traps, tid, foreign, floats.cwd as u8);
        let is_of_program = foreign & !left != 0;
        if !is_of_program
            && left != 0
            && let Ok(mut floats) = requests::float_registers(tid)
        {
            mask_again(&mut floats, left, 0);
            let _ = requests::set_float_registers(tid, floats);
        }
        let trap = FpuTrap {
            exceptions: FloatExceptions::of_bits(raised),
            is_of_program,
            instruction: registers.rip,
            is_late: false,
            of_x87: 0,
            plan: if is_of_program { Plan::Nothing } else { Plan::Execute },
        };
        thread.fpu.trap = Some(trap);
        Reason::FloatingPoint(trap)
    }
}

/// Returns those of these exceptions that a program without a handler has unmasked without knowing it.
fn left_over(traps: FpuTraps, tid: Tid, unmasked: u8, masked: u8) -> u8 {
    let left = traps.left_over(unmasked, masked);
    if left != 0 && handles_signal(tid, libc::SIGFPE) { 0 } else { left }
}

/// Handles an exception of a stopped thread: it goes on as if it were masked. The program's own is left to it.
pub fn handle_fpu_trap(process: &mut Process, tid: Tid, trap: FpuTrap) {
    let Some(thread) = process.threads.get_mut(tid) else { return };
    if trap.is_of_program {
        return;
    }
    thread.fpu.trap = None;
    let Ok(registers) = thread.registers(&process.space) else { return };
    let Ok(mut floats) = requests::float_registers(tid) else { return };
    // Exact results that are small raise no exception once that is masked; others raise it again.
    let (old_sse, old_x87) = thread.fpu.old_flags();
    match trap.plan {
        Plan::Execute => {
            thread.fpu.passes = Some(trap.instruction);
            clear_sse(&mut floats, UNDERFLOW & !old_sse);
            let _ = requests::set_float_registers(tid, floats);
        }
        Plan::GoBack => {
            thread.fpu.passes = Some(trap.instruction);
            let at = trap.instruction;
            thread.passes = process.space.has_site(at) || process.debug.executes_at(at);
            thread.move_to(registers, trap.instruction);
            clear_x87(&mut floats, trap.of_x87 & !old_x87);
            let _ = requests::set_float_registers(tid, floats);
        }
        Plan::ExecuteNow(operand) => {
            clear_x87(&mut floats, trap.of_x87 & !old_x87);
            if requests::set_float_registers(tid, floats).is_ok() {
                execute_elsewhere(process, tid, registers, trap.instruction, operand);
            }
        }
        Plan::Replace(index) => {
            let is_exact = replace_result(&mut floats, index, trap.of_x87 & OVERFLOW != 0);
            if is_exact {
                clear_x87(&mut floats, UNDERFLOW & !old_x87);
            } else {
                floats.swd |= u16::from(INEXACT);
            }
            let _ = requests::set_float_registers(tid, floats);
        }
        Plan::Nothing => {}
    }
}

/// Executes an instruction of the x87 unit that the thread has passed, and leaves the other registers as they are.
fn execute_elsewhere(process: &mut Process, tid: Tid, registers: user_regs_struct, address: u64, operand: u64) {
    let Some(instruction) = instruction_at(&process.space, address) else { return };
    let mut there = user_regs_struct { rip: address, ..registers };
    if !leads_to(&instruction, &mut there, operand) {
        return;
    }
    let Some(thread) = process.threads.get_mut(tid) else { return };
    thread.put(there);
    let status = process.step_in_place(tid, address);
    let Some(thread) = process.threads.get_mut(tid) else { return };
    thread.forget_registers();
    thread.put(registers);
    if let Ok(status) = status
        && status != Status::Stopped(libc::SIGTRAP)
    {
        process.pending.add_status(tid, status);
    }
}

/// Replaces the result that the x87 unit has left for a handler. True if it is exact as far as the flags tell.
fn replace_result(floats: &mut user_fpregs_struct, index: usize, is_large: bool) -> bool {
    let was_exact = floats.swd as u8 & INEXACT == 0;
    let Some(words) = floats.st_space.get_mut(index * 4..index * 4 + 3) else { return false };
    let mut number = [0; 10];
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    number.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    let (result, is_exact) =
        if is_large { (overflown(number, floats.cwd), false) } else { underflown(number, floats.cwd) };
    let [a, b, c, d, e, f, g, h, i, j] = result;
    words.copy_from_slice(&[[a, b, c, d], [e, f, g, h], [i, j, 0, 0]].map(u32::from_le_bytes));
    was_exact && is_exact
}

/// Changes the base register of an instruction so that its operand in memory is at this address. False if that is
/// impossible.
fn leads_to(instruction: &Instruction, registers: &mut user_regs_struct, address: u64) -> bool {
    let Some(index) = (0..instruction.op_count()).find(|at| instruction.op_kind(*at) == OpKind::Memory) else {
        return true;
    };
    let now = instruction.virtual_address(index, 0, |name, _, _| operand(registers, name));
    match now {
        Some(now) if now == address => true,
        Some(now) => match general(registers, instruction.memory_base()) {
            Some(base) if instruction.memory_base() != instruction.memory_index() => {
                *base = base.wrapping_add(address.wrapping_sub(now));
                true
            }
            _ => false,
        },
        None => false,
    }
}

/// Returns a general register of 64 bits by its name.
fn general(registers: &mut user_regs_struct, name: Register) -> Option<&mut u64> {
    Some(match name {
        Register::RAX => &mut registers.rax,
        Register::RBX => &mut registers.rbx,
        Register::RCX => &mut registers.rcx,
        Register::RDX => &mut registers.rdx,
        Register::RSI => &mut registers.rsi,
        Register::RDI => &mut registers.rdi,
        Register::RBP => &mut registers.rbp,
        Register::RSP => &mut registers.rsp,
        Register::R8 => &mut registers.r8,
        Register::R9 => &mut registers.r9,
        Register::R10 => &mut registers.r10,
        Register::R11 => &mut registers.r11,
        Register::R12 => &mut registers.r12,
        Register::R13 => &mut registers.r13,
        Register::R14 => &mut registers.r14,
        Register::R15 => &mut registers.r15,
        _ => return None,
    })
}
