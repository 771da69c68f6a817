//! C++ exceptions that end the program, found as libstdc++ keeps them.

use super::failed_thread::FailedThread;
use crate::memory_text::text_at;
use crate::native::ptrace::decode;
use debuginfo::{FS_BASE, ReadMemory, demangled_type};
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use model::{Cause, CauseKind, Frame, SourcePlace, VirtualAddress};

/// Returns the thread's `__cxa_eh_globals`, whose first word is the innermost exception being handled. An exception that
/// nobody catches counts as handled by std::terminate (Itanium C++ ABI, exception handling, 2.2.2 and 2.5.3).
const GLOBALS: &str = "__cxa_get_globals";
/// The number of instructions of that function that are followed.
const INSTRUCTIONS: usize = 24;
/// The number of frames searched for std::terminate and for the throw.
const FRAMES: u32 = 24;
/// The maximum number of bytes of a message, and of a type's name.
const LONGEST: usize = 2048;
const LONGEST_NAME: usize = 512;

/// Offsets in libstdc++'s `__cxa_exception` (`unwind-cxx.h`); the thrown object follows it.
const CLASS: u64 = 80;
const OBJECT: u64 = 112;
/// `exception_class` of libstdc++: `GNUCC++\0`, and with a last byte of 1 for one that was rethrown elsewhere
/// (std::rethrow_exception), whose first word points to the object.
const PRIMARY: u64 = 0x474e_5543_432b_2b00;
const DEPENDENT: u64 = PRIMARY + 1;

/// Returns the cause of an abort that std::terminate called.
pub(super) fn cause(thread: &dyn FailedThread) -> Option<Cause> {
    Aborted { thread, memory: thread.memory() }.cause()
}

/// A thread that has called abort(3).
struct Aborted<'a> {
    thread: &'a dyn FailedThread,
    memory: &'a dyn ReadMemory,
}

impl Aborted<'_> {
    fn cause(&self) -> Option<Cause> {
        let is = |frame: &Frame, name: &str| frame.function.as_deref().is_some_and(|own| own.starts_with(name));
        let frames = self.thread.frames(FRAMES);
        // The unwinder ends the program itself where an exception reaches a function that may not throw.
        let unwinder = frames.iter().position(|frame| is(frame, "__gxx_personality"));
        let terminate = frames.iter().position(|frame| is(frame, "std::terminate"));
        let (_, callers) = frames.split_at(terminate.or(unwinder)? + 1);
        let cause = |text, source| Some(Cause { kind: CauseKind::Exception, text, source });
        let exception = self.handled()?;
        if exception == 0 {
            let mut names = callers.iter().filter_map(|caller| caller.function.as_deref());
            // Headers of libstdc++ call it by an inlined function.
            let caller = names.find(|name| !name.starts_with("std::__terminate"));
            return cause(without_exception(caller.unwrap_or_default()).to_owned(), None);
        }
        let thrown = Thrown::read(self.memory, exception)?;
        let mangled = thrown.mangled(self.memory)?;
        let name = demangled_type(&mangled).unwrap_or_else(|| mangled.clone());
        // Compilers call one of these in the function itself.
        let barring = ["__clang_call_terminate", "__cxa_call_terminate"];
        let throwing = ["__cxa_throw", "__cxa_rethrow", "std::rethrow_exception", "_Unwind_"];
        let caller = callers.first().filter(|caller| caller.function.is_some());
        let called_by = |names: &[&str]| caller.is_none_or(|caller| names.iter().any(|name| is(caller, name)));
        let head = if unwinder.is_some() || (caller.is_some() && called_by(&barring)) {
            format!("{name} left a noexcept function")
        } else if called_by(&throwing) {
            format!("uncaught {name}")
        } else {
            format!("std::terminate was called while {name} was handled")
        };
        let text = self.words(&thrown, &mangled).map_or_else(|| head.clone(), |words| format!("{head}: {words}"));
        cause(text, thrown_at(callers, is))
    }

    /// Returns the address of the exception that the thread is handling; 0 if there is none.
    fn handled(&self) -> Option<u64> {
        let globals = self.thread.symbol(&["libstdc++."], GLOBALS)?;
        let globals = returned(self.memory, globals, self.thread.registers().get(FS_BASE)?)?;
        self.memory.word(VirtualAddress(globals)).ok()
    }

    /// Returns the text of a thrown string or number, or of what(), where it can be read without a call.
    fn words(&self, thrown: &Thrown, mangled: &str) -> Option<String> {
        let memory = self.memory;
        let word = |at: u64| memory.word(VirtualAddress(at)).ok();
        let text = match mangled {
            "PKc" | "Pc" => text_at(memory, word(thrown.object)?, LONGEST),
            "i" => (word(thrown.object)? as i32).to_string(),
            "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE" => {
                let length = word(thrown.object.wrapping_add(8))?;
                text_at(memory, word(thrown.object)?, LONGEST.min(length as usize))
            }
            _ => {
                // The third function of the table; one of the program's own computes what only it knows.
                let what = self.thread.function_at(VirtualAddress(word(word(thrown.object)?.wrapping_add(16))?))?;
                let kept = ["std::runtime_error::what() const", "std::logic_error::what() const"];
                if !kept.contains(&what.trim_end_matches("@plt")) {
                    return None;
                }
                text_at(memory, word(thrown.object.wrapping_add(8))?, LONGEST)
            }
        };
        Some(text).filter(|text| !text.is_empty())
    }
}

/// Returns the words for a call of std::terminate by this function, where no exception is handled.
fn without_exception(caller: &str) -> &'static str {
    match caller.split('(').next().unwrap_or_default() {
        "std::thread::~thread" => "a std::thread was destroyed before it was joined or detached",
        "std::thread::operator=" => "a std::thread was assigned to before it was joined or detached",
        "__cxa_pure_virtual" => "pure virtual method called",
        "__cxa_deleted_virtual" => "deleted virtual method called",
        _ => "std::terminate was called without an exception",
    }
}

/// Returns the place of the throw, if its call is still on the stack.
fn thrown_at(callers: &[Frame], is: impl Fn(&Frame, &str) -> bool) -> Option<SourcePlace> {
    let throw = callers.iter().position(|frame| is(frame, "__cxa_throw"))?;
    callers.get(throw + 1)?.source.clone()
}

/// Returns the address that a function returns if all it does is to find a thread-local variable (ELF Handling For
/// Thread-Local Storage).
fn returned(memory: &(impl ReadMemory + ?Sized), function: VirtualAddress, fs_base: u64) -> Option<u64> {
    let mut code = [0; 128];
    memory.read(function, &mut code).ok()?;
    let word = |at: u64| memory.word(VirtualAddress(at)).ok();
    let (mut at, mut index, mut value) = (0_usize, None, 0_u64);
    for _ in 0..INSTRUCTIONS {
        let instruction = decode(code.get(at..)?, function.0.wrapping_add(at as u64))?;
        at += instruction.len();
        let is_self = |instruction: &Instruction| {
            instruction.memory_segment() == Register::FS && instruction.memory_displacement64() == 0
        };
        match (instruction.mnemonic(), instruction.op0_register()) {
            (Mnemonic::Lea, Register::RDI) if instruction.is_ip_rel_memory_operand() => {
                index = Some(instruction.ip_rel_memory_address());
            }
            // Of __tls_get_addr.
            (Mnemonic::Call, _) => value = thread_local(memory, index.take()?, fs_base)?,
            (Mnemonic::Mov, Register::RAX) if is_self(&instruction) => value = fs_base,
            (Mnemonic::Mov, Register::RAX) if instruction.is_ip_rel_memory_operand() => {
                value = word(instruction.ip_rel_memory_address())?;
            }
            (Mnemonic::Add, Register::RAX) if is_self(&instruction) => value = value.wrapping_add(fs_base),
            (Mnemonic::Add, Register::RAX) if instruction.op1_kind() != OpKind::Memory => {
                value = value.wrapping_add(instruction.immediate(1));
            }
            (Mnemonic::Lea, Register::RAX) if instruction.memory_base() == Register::RAX => {
                value = value.wrapping_add(instruction.memory_displacement64());
            }
            (Mnemonic::Ret, _) => return Some(value).filter(|value| *value != 0),
            (Mnemonic::Jmp, _) | (_, Register::RAX) => return None,
            _ => {}
        }
    }
    None
}

/// Returns the address of the thread-local variable that a `tls_index` describes (glibc, `dl-tls.h` and `tls.h`).
fn thread_local(memory: &(impl ReadMemory + ?Sized), index: u64, fs_base: u64) -> Option<u64> {
    const VECTOR: u64 = 8;
    const ENTRY: u64 = 16;
    let word = |at: u64| memory.word(VirtualAddress(at)).ok();
    let (module, offset) = (word(index)?, word(index.wrapping_add(8))?);
    let vector = word(fs_base.wrapping_add(VECTOR))?;
    let block = word(vector.wrapping_add(module.checked_mul(ENTRY)?))?;
    // The block of a module that the thread has not used is not allocated.
    (block != 0 && block != u64::MAX).then(|| block.wrapping_add(offset))
}

/// A thrown object and its `std::type_info`.
#[derive(Debug, PartialEq, Eq)]
struct Thrown {
    object: u64,
    type_info: u64,
}

impl Thrown {
    /// Reads a `__cxa_exception`; `None` if another language or library threw it.
    fn read(memory: &(impl ReadMemory + ?Sized), exception: u64) -> Option<Self> {
        let word = |at: u64| memory.word(VirtualAddress(at)).ok();
        let object = match word(exception.wrapping_add(CLASS))? {
            PRIMARY => exception.wrapping_add(OBJECT),
            DEPENDENT => word(exception)?,
            _ => return None,
        };
        Some(Self { object, type_info: word(object.wrapping_sub(OBJECT))? })
    }

    /// Returns the mangled name of the type.
    fn mangled(&self, memory: &(impl ReadMemory + ?Sized)) -> Option<String> {
        let name = memory.word(VirtualAddress(self.type_info.wrapping_add(8))).ok()?;
        // A star marks names that are compared by address.
        let name = text_at(memory, name, LONGEST_NAME).trim_start_matches('*').to_owned();
        (!name.is_empty()).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_text::fake::memory;

    const FS: u64 = 0x2000;

    #[test]
    fn thread_local_variables_are_found_in_the_code_that_returns_them() {
        // endbr64; sub $8,%rsp; lea 0x1000(%rip),%rdi; call; add $8,%rsp; add $0x10,%rax; ret
        let dynamic = [
            &[0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x83, 0xec, 0x08, 0x48, 0x8d, 0x3d, 0x00, 0x10, 0x00, 0x00][..],
            &[0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 0x08, 0x48, 0x83, 0xc0, 0x10, 0xc3],
        ]
        .concat();
        let index = 0x100f_u64 + 0x1000;
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        let (descriptor, own, vector) = (words(&[2, 0x20]), words(&[FS, 0x2100]), words(&[0x5000]));
        let parts = [(0x1000, &dynamic[..]), (index, &descriptor), (0x2120, &vector)];
        let (function, fs) = (VirtualAddress(0x1000), 0x2200);
        let block = [(fs, &own[..])];
        assert_eq!(returned(&memory(&[&parts[..], &block].concat()), function, fs), Some(0x5030));
        assert_eq!(returned(&memory(&parts), function, fs), None, "there is no vector");
        // mov %fs:0,%rax; add $-0x58,%rax; ret
        let local = [0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, 0x48, 0x83, 0xc0, 0xa8, 0xc3];
        assert_eq!(returned(&memory(&[(0x1000, &local)]), function, FS), Some(FS - 0x58));
        for odd in [&[0xc3][..], &[0xeb, 0xfe], &[0x48, 0x31, 0xc0, 0xc3], &[0xe8, 0, 0, 0, 0, 0xc3], &[0x06], &[]] {
            assert_eq!(returned(&memory(&[(0x1000, odd)]), function, FS), None, "{odd:x?}");
        }
    }

    #[test]
    fn exceptions_of_other_libraries_are_left_alone() {
        let thrown = |class: u64| {
            let parts = [(0x1000, 0x1800_u64), (0x1050, class), (0x1800 - OBJECT, 0x1900)];
            let bytes = parts.map(|(at, word)| (at, word.to_le_bytes()));
            let parts: Vec<(u64, &[u8])> = bytes.iter().map(|(at, word)| (*at, &word[..])).collect();
            Thrown::read(&memory(&parts), 0x1000)
        };
        assert_eq!(thrown(PRIMARY), Some(Thrown { object: 0x1070, type_info: 0x1800 }));
        assert_eq!(thrown(DEPENDENT), Some(Thrown { object: 0x1800, type_info: 0x1900 }));
        assert_eq!(thrown(0x434c_4e47_432b_2b00), None, "libc++");
        assert_eq!(Thrown::read(&memory(&[]), 0x10), None);
    }
}
