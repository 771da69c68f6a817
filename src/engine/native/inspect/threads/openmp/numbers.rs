//! The numbers that OpenMP gives to the threads of a team.
//!
//! The run-time libraries keep a thread's number where only they know, in the thread's own storage, and describe it nowhere.
//! Their function `omp_get_thread_num` (OpenMP 5.2, 18.2.4) reads it in a few instructions: these are followed here, with
//! the registers and the memory of the stopped thread, so that the program does not run. Other functions of theirs show
//! the team of a thread, and the mark by which a lock records it.

use super::machine::{Machine, Next};
use crate::native::inspect::StoppedThread;
use debuginfo::{LoadedImage, LoadedImages};
use iced_x86::FlowControl;
use model::{Frame, VirtualAddress};

/// The file names of the libraries begin so: those of GCC, LLVM and Intel.
const LIBRARIES: [&str; 3] = ["libgomp.so", "libomp.so", "libiomp5.so"];

/// The most instructions that are followed.
const MOST_INSTRUCTIONS: usize = 200;

/// The most calls within each other that are followed.
const MOST_CALLS: usize = 8;

/// The size of the largest team: a greater number is something else.
const LARGEST: u32 = 1 << 20;

/// Registers by their numbers in instructions.
const RAX: usize = 0;
const RDX: usize = 2;
const RSI: usize = 6;
const RDI: usize = 7;

/// True if a file is a run-time library of OpenMP.
pub(super) fn is_runtime(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// True if the program has loaded such a library.
pub(crate) fn has_runtime(images: &LoadedImages) -> bool {
    images.iter().any(|loaded| is_runtime(&loaded.name))
}

/// Returns the run-time library that has one of these frames.
pub(super) fn runtime_of<'a, 'f>(
    thread: &'a StoppedThread<'_>,
    frames: impl IntoIterator<Item = &'f Frame>,
) -> Option<&'a LoadedImage> {
    let mut modules = frames.into_iter().filter_map(|frame| frame.code.module.as_deref());
    let library = modules.find(|module| is_runtime(module))?;
    thread.images.iter().find(|loaded| *loaded.name == *library)
}

/// Returns the number of a thread in its team, if its frames show that OpenMP runs it.
pub(crate) fn number_in_team(thread: &StoppedThread<'_>, frames: &[Frame]) -> Option<u32> {
    number(thread, runtime_of(thread, frames)?)
}

pub(super) fn number(thread: &StoppedThread<'_>, library: &LoadedImage) -> Option<u32> {
    let number = followed(thread, library, "omp_get_thread_num")?.value;
    u32::try_from(number as u32 as i32).ok().filter(|number| *number < LARGEST)
}

/// The name of such a thread.
pub(crate) fn name_in_team(number: u32) -> String {
    format!("OpenMP {number}")
}

/// A team of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Team {
    /// The address at which the library keeps the size: that of no other team.
    pub(super) key: u64,
    /// The number of its threads.
    pub(super) size: u32,
}

/// Returns the team of a thread.
pub(super) fn team(thread: &StoppedThread<'_>, library: &LoadedImage) -> Option<Team> {
    let size = |name| followed(thread, library, name);
    let found = size("__kmpc_bound_num_threads").or_else(|| size("omp_get_num_threads"))?;
    let size = u32::try_from(found.value as u32 as i32).ok().filter(|size| (1..LARGEST).contains(size))?;
    Some(Team { key: found.last_read?, size })
}

/// Returns the mark by which locks record that this thread owns them: in libgomp the address of the task's variables, of
/// which `omp_get_max_threads` reads the first; in the others the thread's number among all, plus 1.
pub(super) fn owner_mark(thread: &StoppedThread<'_>, library: &LoadedImage) -> Option<u64> {
    match followed(thread, library, "__kmpc_global_thread_num") {
        Some(found) => u64::try_from(found.value as u32 as i32).ok()?.checked_add(1),
        None => followed(thread, library, "omp_get_max_threads")?.last_read,
    }
}

/// The result of a function that was followed.
struct Followed {
    value: u64,
    /// The address of what it has read last.
    last_read: Option<u64>,
}

/// Follows a function without arguments; `None` if it does anything that is not understood.
fn followed(thread: &StoppedThread<'_>, library: &LoadedImage, name: &str) -> Option<Followed> {
    let mut at = library.symbol(name)?.0;
    let mut machine = Machine::new(thread, [None; 16]);
    let mut returns = Vec::new();
    for _ in 0..MOST_INSTRUCTIONS {
        if !library.range.contains(&VirtualAddress(at)) {
            return None;
        }
        let instruction = machine.instruction(at)?;
        at = match machine.step(&instruction)? {
            Next::At(next) => next,
            Next::Call(target) if is_storage(library, target) => {
                let block = storage(&machine)?;
                machine.set_register(RAX, Some(block));
                instruction.next_ip()
            }
            Next::Call(target) if returns.len() < MOST_CALLS => {
                returns.push(instruction.next_ip());
                target
            }
            Next::Call(_) => return None,
            Next::Return => match returns.pop() {
                Some(back) => back,
                None => return Some(Followed { value: machine.register(RAX)?, last_read: machine.last_read() }),
            },
        };
    }
    None
}

/// Returns the address of what LLVM's library keeps for a nested lock of the program, which has only its number. The
/// function that releases the lock looks it up, and goes on to one for locks of its kind.
pub(super) fn inner_lock(thread: &StoppedThread<'_>, library: &LoadedImage, address: u64) -> Option<u64> {
    let mut at = library.symbol("__kmpc_unset_nest_lock")?.0;
    let mut machine = Machine::new(thread, [None; 16]);
    for (register, value) in [(RDI, 0), (RSI, 0), (RDX, address)] {
        machine.set_register(register, Some(value));
    }
    let (mut returns, mut turns) = (Vec::new(), 0);
    for _ in 0..MOST_INSTRUCTIONS {
        let instruction = machine.instruction(at).filter(|_| library.range.contains(&VirtualAddress(at)))?;
        turns +=
            usize::from(matches!(instruction.flow_control(), FlowControl::IndirectCall | FlowControl::IndirectBranch));
        if turns == 2 {
            return machine.register(RDI);
        }
        at = match machine.step(&instruction)? {
            Next::At(next) => next,
            Next::Call(target) if returns.len() < MOST_CALLS => {
                returns.push(instruction.next_ip());
                target
            }
            Next::Call(_) => return None,
            Next::Return => returns.pop()?,
        };
    }
    None
}

/// True if a call is that for the address of a thread-local variable (the general dynamic model of the TLS specification
/// for x86-64).
fn is_storage(library: &LoadedImage, target: u64) -> bool {
    let symbol = library.image.symbol_at(library.bias.unloaded(VirtualAddress(target)));
    symbol.is_some_and(|(name, offset)| offset == 0 && name.starts_with("__tls_get_addr"))
}

/// Returns what that call returns.
fn storage(machine: &Machine<'_>) -> Option<u64> {
    // RDI points to the module's number and the offset in its block; the thread's vector has the block.
    let index = machine.register(RDI)?;
    let (module, offset) = (machine.word(index)?, machine.word(index.checked_add(8)?)?);
    let vector = machine.word(machine.thread_pointer()?.checked_add(8)?)?;
    let block = machine.word(vector.checked_add(module.checked_mul(16)?)?)?;
    (block != 0 && block != u64::MAX).then(|| block.wrapping_add(offset))
}
