//! The registers of x86-64 by name and DWARF number (System V ABI, AMD64 supplement, figure 3.36), and their values in
//! one frame.

use model::VirtualAddress;

/// Classes of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterClass {
    /// General registers and the program counter.
    General,
    /// `eflags`.
    Flags,
    /// Segment selectors.
    Segment,
    /// Base addresses of the `fs` and `gs` segments.
    Base,
    /// The x87 stack.
    X87,
    /// SSE and AVX vectors.
    Vector,
    /// Control and status words of the x87 and SSE.
    Control,
}

/// A row of the table of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegisterInfo {
    /// By gdb's name.
    pub name: &'static str,
    /// The DWARF number, or from [`YMM`] on for AVX registers.
    pub number: u16,
    /// In bytes.
    pub size: u8,
    /// Selects the lists in which the register is shown.
    pub class: RegisterClass,
}

/// DWARF number of `rbx`.
pub const RBX: u16 = 3;
/// DWARF number of `rbp`.
pub const RBP: u16 = 6;
/// DWARF number of `rsp`.
pub const RSP: u16 = 7;
/// DWARF number of the return address column, which is `rip` in a frame.
pub const RIP: u16 = 16;
/// This program's number for `ymm0`, which has none in DWARF; the others follow. No DWARF register has a number this
/// high.
pub const YMM: u16 = 212;
/// DWARF number of the base of the `fs` segment: the thread pointer.
pub const FS_BASE: u16 = 58;

const fn row(name: &'static str, number: u16, size: u8, class: RegisterClass) -> RegisterInfo {
    RegisterInfo { name, number, size, class }
}

/// Every register that can be named, in gdb's order.
pub const REGISTERS: &[RegisterInfo] = &[
    row("rax", 0, 8, RegisterClass::General),
    row("rbx", 3, 8, RegisterClass::General),
    row("rcx", 2, 8, RegisterClass::General),
    row("rdx", 1, 8, RegisterClass::General),
    row("rsi", 4, 8, RegisterClass::General),
    row("rdi", 5, 8, RegisterClass::General),
    row("rbp", 6, 8, RegisterClass::General),
    row("rsp", 7, 8, RegisterClass::General),
    row("r8", 8, 8, RegisterClass::General),
    row("r9", 9, 8, RegisterClass::General),
    row("r10", 10, 8, RegisterClass::General),
    row("r11", 11, 8, RegisterClass::General),
    row("r12", 12, 8, RegisterClass::General),
    row("r13", 13, 8, RegisterClass::General),
    row("r14", 14, 8, RegisterClass::General),
    row("r15", 15, 8, RegisterClass::General),
    row("rip", 16, 8, RegisterClass::General),
    row("eflags", 49, 4, RegisterClass::Flags),
    row("cs", 51, 4, RegisterClass::Segment),
    row("ss", 52, 4, RegisterClass::Segment),
    row("ds", 53, 4, RegisterClass::Segment),
    row("es", 50, 4, RegisterClass::Segment),
    row("fs", 54, 4, RegisterClass::Segment),
    row("gs", 55, 4, RegisterClass::Segment),
    row("fs_base", 58, 8, RegisterClass::Base),
    row("gs_base", 59, 8, RegisterClass::Base),
    row("st0", 33, 10, RegisterClass::X87),
    row("st1", 34, 10, RegisterClass::X87),
    row("st2", 35, 10, RegisterClass::X87),
    row("st3", 36, 10, RegisterClass::X87),
    row("st4", 37, 10, RegisterClass::X87),
    row("st5", 38, 10, RegisterClass::X87),
    row("st6", 39, 10, RegisterClass::X87),
    row("st7", 40, 10, RegisterClass::X87),
    row("fctrl", 65, 2, RegisterClass::Control),
    row("fstat", 66, 2, RegisterClass::Control),
    row("xmm0", 17, 16, RegisterClass::Vector),
    row("xmm1", 18, 16, RegisterClass::Vector),
    row("xmm2", 19, 16, RegisterClass::Vector),
    row("xmm3", 20, 16, RegisterClass::Vector),
    row("xmm4", 21, 16, RegisterClass::Vector),
    row("xmm5", 22, 16, RegisterClass::Vector),
    row("xmm6", 23, 16, RegisterClass::Vector),
    row("xmm7", 24, 16, RegisterClass::Vector),
    row("xmm8", 25, 16, RegisterClass::Vector),
    row("xmm9", 26, 16, RegisterClass::Vector),
    row("xmm10", 27, 16, RegisterClass::Vector),
    row("xmm11", 28, 16, RegisterClass::Vector),
    row("xmm12", 29, 16, RegisterClass::Vector),
    row("xmm13", 30, 16, RegisterClass::Vector),
    row("xmm14", 31, 16, RegisterClass::Vector),
    row("xmm15", 32, 16, RegisterClass::Vector),
    row("mxcsr", 64, 4, RegisterClass::Control),
    row("ymm0", 212, 32, RegisterClass::Vector),
    row("ymm1", 213, 32, RegisterClass::Vector),
    row("ymm2", 214, 32, RegisterClass::Vector),
    row("ymm3", 215, 32, RegisterClass::Vector),
    row("ymm4", 216, 32, RegisterClass::Vector),
    row("ymm5", 217, 32, RegisterClass::Vector),
    row("ymm6", 218, 32, RegisterClass::Vector),
    row("ymm7", 219, 32, RegisterClass::Vector),
    row("ymm8", 220, 32, RegisterClass::Vector),
    row("ymm9", 221, 32, RegisterClass::Vector),
    row("ymm10", 222, 32, RegisterClass::Vector),
    row("ymm11", 223, 32, RegisterClass::Vector),
    row("ymm12", 224, 32, RegisterClass::Vector),
    row("ymm13", 225, 32, RegisterClass::Vector),
    row("ymm14", 226, 32, RegisterClass::Vector),
    row("ymm15", 227, 32, RegisterClass::Vector),
];

/// Looks up a register by name, including gdb's generic names `pc`, `sp`, `fp` and the manual's `rflags`.
pub fn register_named(name: &str) -> Option<&'static RegisterInfo> {
    let name = match name {
        "pc" => "rip",
        "sp" => "rsp",
        "fp" => "rbp",
        "rflags" => "eflags",
        other => other,
    };
    REGISTERS.iter().find(|row| row.name == name)
}

/// Looks up a register by DWARF number.
pub fn register_numbered(number: u16) -> Option<&'static RegisterInfo> {
    REGISTERS.iter().find(|row| row.number == number)
}

/// The place that holds a register's value in a frame, so that it can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// In the register itself: no callee has saved it.
    Register,
    /// On the stack, saved by a callee.
    Memory(VirtualAddress),
    /// Computed, such as the stack pointer of a caller.
    Nowhere,
}

/// Registers below this number are kept at their own index; the other kept registers follow.
const DENSE: usize = 17;
const SPARSE: [u16; 9] = [49, 50, 51, 52, 53, 54, 55, FS_BASE, 59];
const KEPT: usize = DENSE + SPARSE.len();

fn slot(number: u16) -> Option<usize> {
    let number = usize::from(number);
    if number < DENSE {
        return Some(number);
    }
    SPARSE.iter().position(|kept| usize::from(*kept) == number).map(|place| DENSE + place)
}

/// The integer registers of one frame by DWARF number; a register has no value if it is unknown there. Vector and x87
/// registers are not kept: nothing saves them, so they are read from the thread.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Registers {
    values: [u64; KEPT],
    /// A bit for each valid entry of `values`.
    known: u32,
    /// The addresses of values saved in memory.
    saved: [u64; KEPT],
    /// A bit for each valid entry of `saved`.
    in_memory: u32,
    /// A bit for each value that is stored nowhere.
    computed: u32,
}

fn set_bit(bits: &mut u32, index: usize, on: bool) {
    *bits = *bits & !(1 << index) | u32::from(on) << index;
}

impl Registers {
    /// Makes registers that are all unknown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the value of a register, if it is known in the frame.
    pub fn get(&self, number: u16) -> Option<u64> {
        let slot = slot(number).filter(|slot| self.known >> slot & 1 == 1)?;
        self.values.get(slot).copied()
    }

    /// Sets a register of the innermost frame; numbers that are not kept are ignored.
    pub fn set(&mut self, number: u16, value: u64) {
        self.put(number, Some(value), Home::Register);
    }

    pub(crate) fn put(&mut self, number: u16, value: Option<u64>, home: Home) {
        let Some(slot) = slot(number) else { return };
        let saved = match home {
            Home::Memory(address) => Some(address.0),
            Home::Register | Home::Nowhere => None,
        };
        set_bit(&mut self.known, slot, value.is_some());
        set_bit(&mut self.in_memory, slot, saved.is_some());
        set_bit(&mut self.computed, slot, home == Home::Nowhere);
        if let (Some(place), Some(home)) = (self.values.get_mut(slot), self.saved.get_mut(slot)) {
            *place = value.unwrap_or(0);
            *home = saved.unwrap_or(0);
        }
    }

    /// Returns the place of a register's value; registers that are not kept are in the thread.
    pub fn home(&self, number: u16) -> Home {
        let Some(slot) = slot(number) else { return Home::Register };
        match self.saved.get(slot) {
            Some(address) if self.in_memory >> slot & 1 == 1 => Home::Memory(VirtualAddress(*address)),
            _ if self.computed >> slot & 1 == 1 => Home::Nowhere,
            _ => Home::Register,
        }
    }

    /// Returns the same registers at another program counter.
    pub(crate) fn at(&self, pc: VirtualAddress) -> Self {
        let mut registers = *self;
        registers.put(RIP, Some(pc.0), Home::Nowhere);
        registers
    }

    /// Returns the program counter, `rip`.
    pub fn pc(&self) -> Option<VirtualAddress> {
        self.get(RIP).map(VirtualAddress)
    }

    /// Returns the stack pointer, `rsp`.
    pub fn sp(&self) -> Option<VirtualAddress> {
        self.get(RSP).map(VirtualAddress)
    }
}

impl std::fmt::Debug for Registers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = REGISTERS.iter().filter_map(|row| Some((row.name, format!("{:#x}", self.get(row.number)?))));
        f.debug_map().entries(known).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_one_to_one() {
        for row in REGISTERS {
            assert_eq!(register_named(row.name), Some(row));
            assert_eq!(register_numbered(row.number), Some(row));
        }
        assert_eq!(register_named("pc").unwrap().number, RIP);
        assert_eq!(register_named("sp").unwrap().number, RSP);
        assert_eq!(register_named("xmm0").unwrap().number, 17);
        assert!(register_named("nonsense").is_none());
    }

    #[test]
    fn keeps_what_it_is_given() {
        let mut registers = Registers::new();
        for (number, value) in [(0, 1), (16, 2), (49, 3), (58, 4), (59, 5)] {
            assert_eq!(registers.get(number), None);
            registers.set(number, value);
            assert_eq!(registers.get(number), Some(value));
        }
        registers.set(17, 9);
        assert_eq!(registers.get(17), None);
        assert_eq!(registers.home(0), Home::Register);
        registers.put(3, Some(7), Home::Memory(VirtualAddress(64)));
        assert_eq!((registers.get(3), registers.home(3)), (Some(7), Home::Memory(VirtualAddress(64))));
        registers.put(3, None, Home::Nowhere);
        assert_eq!((registers.get(3), registers.home(3)), (None, Home::Nowhere));
        assert_eq!(registers.pc(), Some(VirtualAddress(2)));
    }
}
