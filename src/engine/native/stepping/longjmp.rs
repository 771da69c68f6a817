//! Jumps out of functions: longjmp(3) and C++ exceptions end calls that a step runs through without returning from
//! them. The step continues where they arrive.

use super::step_resume::{Caller, StepResume, Then};
use super::stepped_thread::SteppedThread;
use crate::native::breakpoints::claims::Claim;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::startup::program::base_name;
use crate::native::stepping::stepper::Stepping;
use debuginfo::LoadedImages;
use model::{StopReason, VirtualAddress};

/// Functions that jump to where setjmp(3) was called, with its `jmp_buf` as first argument.
const LONG_JUMPS: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];
/// Called first by every exception handler (Itanium C++ ABI, Exception Handling, 2.5.3).
const HANDLES: &str = "__cxa_begin_catch";
/// Byte offsets of the stack pointer and the address in an x86-64 `jmp_buf`, and of the guard of both in the thread
/// control block (`jmpbuf-offsets.h`, `tls.h` of glibc).
const SAVED_SP: u64 = 6 * 8;
const SAVED_PC: u64 = 7 * 8;
const GUARD: u64 = 0x30;

/// Decodes a pointer that glibc has mangled in a `jmp_buf`.
fn unguarded(word: u64, guard: u64) -> u64 {
    word.rotate_right(17) ^ guard
}

/// True if a file may define one of the functions.
fn may_jump(path: &str) -> bool {
    ["libc.", "libc-", "libstdc++.", "libc++abi.", "ld-musl-"].iter().any(|start| base_name(path).starts_with(start))
}

/// Reads the files that jumps can be found in.
pub(in crate::native) fn prepare(images: &LoadedImages) {
    images.wanted(|image| may_jump(image.path())).for_each(|loaded| loaded.image.prepare());
}

/// True if [`prepare`] has finished.
pub(in crate::native) fn is_prepared(images: &LoadedImages) -> bool {
    images.iter().all(|loaded| loaded.image.is_prepared() || !may_jump(loaded.image.path()))
}

/// Returns the addresses of the functions that jump.
fn places(images: &LoadedImages) -> Vec<(u64, Claim)> {
    let program = images.executable().map(|program| program.image.index());
    let files = images.iter().filter(|loaded| {
        let image = &loaded.image;
        image.is_prepared() && (may_jump(image.path()) || Some(image.index()) == program)
    });
    let mut found = Vec::new();
    for loaded in files {
        let names = LONG_JUMPS.iter().map(|name| (*name, Claim::LongJump)).chain([(HANDLES, Claim::Handler)]);
        found.extend(names.filter_map(|(name, claim)| Some((loaded.bias.loaded(loaded.image.symbol(name)?).0, claim))));
    }
    found.sort_unstable_by_key(|(address, _)| *address);
    // Several names are one function.
    found.dedup_by_key(|(address, _)| *address);
    found
}

/// Returns the target of a longjmp(3) whose first instruction the thread is at.
fn long_jump(inferior: &mut Inferior, tid: Tid) -> Option<Caller> {
    let registers = inferior.process.registers(tid).ok()?;
    let memory = inferior.process.memory();
    let pc = memory.word(registers.rdi.wrapping_add(SAVED_PC)).ok()?;
    let sp = memory.word(registers.rdi.wrapping_add(SAVED_SP)).ok()?;
    let is_code = |pc: &u64| inferior.images().locate(VirtualAddress(*pc)).is_some();
    let guard = memory.word(registers.fs_base.wrapping_add(GUARD)).unwrap_or(0);
    // Not every C library mangles them.
    let guarded = (unguarded(pc, guard), unguarded(sp, guard));
    let (back, stack_pointer) = [guarded, (pc, sp)].into_iter().find(|(pc, _)| is_code(pc))?;
    Some(Caller { back, stack_pointer })
}

/// Returns the caller of `__cxa_begin_catch`, the exception handler, at that function's first instruction.
fn handler(inferior: &mut Inferior, tid: Tid) -> Option<Caller> {
    let registers = inferior.process.registers(tid).ok()?;
    let back = inferior.process.memory().word(registers.rsp).ok()?;
    Some(Caller { back, stack_pointer: registers.rsp.wrapping_add(8) })
}

impl Stepping {
    /// Inserts traps at the functions that jump, for a step that waits for a call to return.
    pub(in crate::native) fn see_jumps(&mut self, on: &mut SteppedThread<'_>) {
        if on.breakpoints.claims.any(|claim| matches!(claim, Claim::LongJump | Claim::Handler)) {
            return;
        }
        for (address, claim) in places(on.inferior.images()) {
            // Without the trap, a jump goes unnoticed and the step ends at the next stop.
            if let Err(failure) = on.breakpoints.claims.add(&mut on.inferior.process, address, claim) {
                tracing::debug!("{address:#x}: {}", failure.message);
            }
        }
    }

    /// Waits at the target of a jump that the stepping thread is about to make, unless the target is in a frame further
    /// in than the stepped one.
    pub(in crate::native) fn jumps(&mut self, on: &mut SteppedThread<'_>, claims: &[Claim]) {
        if self.stepper.as_ref().is_none_or(|stepper| stepper.thread != on.tid) {
            return;
        }
        let arrival = if claims.contains(&Claim::LongJump) {
            long_jump(on.inferior, on.tid)
        } else if claims.contains(&Claim::Handler) {
            handler(on.inferior, on.tid)
        } else {
            None
        };
        let (Some(target), Some(stepper)) = (arrival, &mut self.stepper) else { return };
        let own = stepper
            .landings
            .iter()
            .filter(|step_resume| step_resume.then != Then::Arrived && step_resume.then != Then::Passed);
        let Some(frame) =
            own.map(|step_resume| step_resume.lowest_stack).max().filter(|frame| *frame <= target.stack_pointer)
        else {
            return;
        };
        let ends = stepper.landings.iter().any(|step_resume| matches!(step_resume.then, Then::End | Then::EndIn(_)));
        if ends {
            stepper.reason = StopReason::Step;
            stepper.returns = None;
        }
        let then = if ends { Then::End } else { Then::Return };
        let mut landings = stepper.landings.clone();
        landings.push(StepResume { address: target.back, lowest_stack: frame, then });
        if let Err(failure) = self.land(on, &landings) {
            tracing::debug!("{:#x}: {}", target.back, failure.message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarded_words_are_read_as_they_were_written() {
        let (word, guard) = (0x7fff_ffff_e1b0_u64, 0x1234_5678_9abc_def0_u64);
        assert_eq!(unguarded((word ^ guard).rotate_left(17), guard), word);
    }

    #[test]
    fn files_that_may_jump() {
        let may = |path: &&str| may_jump(path);
        let paths =
            ["/lib/libc.so.6", "libc-2.31.so", "/usr/lib/libstdc++.so.6", "/lib/libcrypt.so.1", "/lib/libm.so.6"];
        assert_eq!(paths.iter().filter(|path| may(path)).count(), 3);
    }
}
