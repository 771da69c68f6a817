//! The registers of x86-64 by name and DWARF number (System V ABI, AMD64 supplement, figure 3.36), and their values in
//! one frame.

use model::VirtualAddress;

/// Classes of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterClass {
    /// General registers and the program counter.
    General,
    /// The register of flags.
    Flags,
    /// Selectors of segments.
    Segment,
    /// Where segments begin.
    Base,
    /// The stack of the x87.
    X87,
    /// Vectors of SSE and AVX.
    Vector,
    /// Control and status words.
    Control,
}

/// A row of the table of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegisterInfo {
    /// As gdb names it.
    pub name: &'static str,
    /// DWARF number, or [`YMM`] and those behind it.
    pub number: u16,
    /// Bytes of its value.
    pub size: u8,
    /// Its class.
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
/// The number of `ymm0` here, which has none of its own in DWARF; the others follow. No register of DWARF is so high.
pub const YMM: u16 = 212;
/// DWARF number of the base of the `fs` segment: the thread pointer.
pub const FS_BASE: u16 = 58;

const fn row(name: &'static str, number: u16, size: u8, class: RegisterClass) -> RegisterInfo {
    RegisterInfo { name, number, size, class }
}

/// Every register that can be named, in the order in which gdb lists them.
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

/// The row of a name, gdb's general names `pc`, `sp`, `fp` and the manual's `rflags` included.
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

/// The row of a DWARF number.
pub fn register_numbered(number: u16) -> Option<&'static RegisterInfo> {
    REGISTERS.iter().find(|row| row.number == number)
}

/// Where the value of a register of a frame lives, so that it can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// In the register itself: nobody has saved it since.
    Register,
    /// On the stack, saved by a callee.
    Memory(VirtualAddress),
    /// It is computed: the stack pointer of a caller.
    Nowhere,
}

/// Numbers below this one are kept densely; the rest of those that are kept follow.
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

/// The integer registers of one frame by DWARF number; a register whose value is not known there has none. Vector and
/// x87 registers are not kept: nothing saves them, they are asked of the thread.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Registers {
    values: [u64; KEPT],
    /// A bit for each of `values` that is one.
    known: u32,
    /// Where values are that are in memory.
    saved: [u64; KEPT],
    /// A bit for each of `saved` that is one.
    in_memory: u32,
    /// A bit for each value that is nowhere.
    computed: u32,
}

fn set_bit(bits: &mut u32, index: usize, on: bool) {
    *bits = *bits & !(1 << index) | u32::from(on) << index;
}

impl Registers {
    /// Registers of which none is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a register.
    pub fn get(&self, number: u16) -> Option<u64> {
        let slot = slot(number).filter(|slot| self.known >> slot & 1 == 1)?;
        self.values.get(slot).copied()
    }

    /// Gives a register of the innermost frame its value; numbers that are not kept are ignored.
    pub fn set(&mut self, number: u16, value: u64) {
        self.put(number, Some(value), Home::Register);
    }

    /// Gives a register a value and a home.
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

    /// Where the value of a register lives; registers that are not kept live in the thread.
    pub fn home(&self, number: u16) -> Home {
        let Some(slot) = slot(number) else { return Home::Register };
        match self.saved.get(slot) {
            Some(address) if self.in_memory >> slot & 1 == 1 => Home::Memory(VirtualAddress(*address)),
            _ if self.computed >> slot & 1 == 1 => Home::Nowhere,
            _ => Home::Register,
        }
    }

    /// The same at another program counter.
    pub(crate) fn at(&self, pc: VirtualAddress) -> Self {
        let mut registers = *self;
        registers.put(RIP, Some(pc.0), Home::Nowhere);
        registers
    }

    /// The program counter, `rip`.
    pub fn pc(&self) -> Option<VirtualAddress> {
        self.get(RIP).map(VirtualAddress)
    }

    /// The stack pointer, `rsp`.
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
