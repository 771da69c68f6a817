//! Binds the names of an expression to the code where it was written, for evaluation at other places: as in gdb, the
//! condition of a watchpoint keeps its meaning wherever the program writes.

use super::scope::FrameScope;
use super::view::FrameView;
use crate::dwarf::entry::EntryId;
use crate::images::loaded::LoadedImages;
use crate::types::description::{NamedValue, Place};
use crate::types::symbols::Symbols as _;
use crate::unwind::caller::{lookup_address, unwind_one};
use crate::unwind::memory_cache::Window;
use crate::unwind::registers::Registers;
use crate::unwind::stack::{StackFrame, callers};
use crate::unwind::thread_access::{ReadMemory, ThreadAccess};
use model::{FileAddress, VirtualAddress};
use std::cell::OnceCell;
use std::ops::Range;

/// The code around which names are looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeScope {
    image: u32,
    address: FileAddress,
    inline_depth: u32,
}

impl CodeScope {
    /// Returns the beginning of the program's main function, after its prologue.
    pub fn of_main_program(images: &LoadedImages) -> Option<Self> {
        let loaded = images.executable()?;
        let entry = loaded.image.entry_points().main_program()?;
        Some(Self { image: loaded.image.index(), address: loaded.image.after_prologue(entry), inline_depth: 0 })
    }

    /// Returns a frame that is about to execute the code: names resolve in it, but few have values. `None` if the file
    /// is not loaded.
    pub fn bare_frame(&self, images: &LoadedImages) -> Option<StackFrame> {
        let address = images.by_index(self.image)?.bias.loaded(self.address);
        Some(StackFrame { inline_depth: self.inline_depth, ..StackFrame::at_address(address) })
    }
}

/// A block of a function that declares a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    image: u32,
    entry: EntryId,
    /// The number of functions around its function.
    nesting: usize,
    /// The number of blocks around it in its function.
    depth: usize,
    /// The contiguous parts of the function that has the frame.
    function: Vec<Range<u64>>,
}

/// The stack is deeper than the caller of [`Block::innermost_frame`] wants to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl Block {
    /// The number of functions around its function.
    pub(super) fn nesting(&self) -> usize {
        self.nesting
    }

    /// True if `other` is further out, in the same function or in one around it.
    pub fn is_inside(&self, other: &Self) -> bool {
        (self.nesting, self.depth) > (other.nesting, other.depth)
    }

    /// Returns the innermost frame of a thread that is in the block; `None` if there is none. Asks `goes_on` before
    /// each frame.
    pub fn innermost_frame(
        &self,
        images: &LoadedImages,
        registers: &Registers,
        memory: &dyn ReadMemory,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<StackFrame>, TooDeep> {
        let here = StackFrame { interrupted: true, ..StackFrame::bare(registers, None, Vec::new()) };
        let function = FunctionCode { image: self.image, parts: &self.function };
        innermost_in(&function, images, &here, memory, goes_on, |frame| self.contains(images, frame))
    }

    fn contains(&self, images: &LoadedImages, frame: &StackFrame) -> bool {
        let Some(pc) = frame.registers.pc() else { return false };
        let place = images.locate(lookup_address(pc, frame.interrupted));
        let scope = place.and_then(|(loaded, _)| FrameScope::of(loaded, frame));
        scope.is_some_and(|scope| scope.has_block(self.entry))
    }
}

/// The code of a function that has a frame of its own.
pub(super) struct FunctionCode<'a> {
    pub(super) image: u32,
    pub(super) parts: &'a [Range<u64>],
}

impl FunctionCode<'_> {
    fn covers(&self, images: &LoadedImages, address: VirtualAddress) -> bool {
        images.locate(address).is_some_and(|(loaded, address)| {
            loaded.image.index() == self.image && self.parts.iter().any(|part| part.contains(&address.0))
        })
    }
}

/// Returns the innermost frame that is wanted among those of a function, from a frame outwards. Reads no debug
/// information of other functions: this may run on the tracer thread. Asks `goes_on` before each frame.
pub(super) fn innermost_in(
    function: &FunctionCode<'_>,
    images: &LoadedImages,
    from: &StackFrame,
    memory: &dyn ReadMemory,
    mut goes_on: impl FnMut() -> bool,
    is_wanted: impl Fn(&StackFrame) -> bool,
) -> Result<Option<StackFrame>, TooDeep> {
    let window = Window::new(memory);
    let (mut registers, mut interrupted, mut last_cfa) = (from.registers, from.interrupted, None);
    while goes_on() {
        let Some(pc) = registers.pc() else { return Ok(None) };
        if function.covers(images, lookup_address(pc, interrupted)) {
            let here = StackFrame { interrupted, ..StackFrame::bare(&registers, None, Vec::new()) };
            let frames = callers(images, &here, memory, 1);
            if let Some(found) = frames.into_iter().find(&is_wanted) {
                return Ok(Some(found));
            }
        }
        let Ok(Some(caller)) = unwind_one(images, &registers, interrupted, &window) else { return Ok(None) };
        // A signal handler may run on its own stack, at any address.
        if !caller.signal && last_cfa.is_some_and(|last| caller.cfa <= last) {
            return Ok(None);
        }
        last_cfa = (!caller.signal).then_some(caller.cfa);
        let back = caller.registers.pc().filter(|_| !caller.signal);
        match back.and_then(|back| memory.called_from(back, caller.cfa)) {
            Some(saved) => (registers, interrupted, last_cfa) = (saved, true, None),
            None => (registers, interrupted) = (caller.registers, caller.signal),
        }
    }
    Err(TooDeep)
}

impl<'a> FrameView<'a> {
    /// Makes a view of a frame in which names are those of other code: `scope` decides what they mean, `frame` gives
    /// their values. `None` if the code is not loaded or has no debug information.
    pub fn bound(
        images: &'a LoadedImages,
        scope: &CodeScope,
        frame: &'a StackFrame,
        thread: &'a dyn ThreadAccess,
    ) -> Option<Self> {
        let loaded = images.by_index(scope.image)?;
        let bound = FrameScope::around(loaded, scope.address, scope.inline_depth, frame)?;
        let (language, library, host) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Some(Self {
            images,
            frame: Some(frame),
            thread,
            scope: Some((loaded, bound)),
            language,
            library,
            host,
            imports: OnceCell::new(),
        })
    }

    /// Returns the code around which the frame's names are looked up; `None` without debug information.
    pub fn code_scope(&self) -> Option<CodeScope> {
        let (loaded, scope) = self.scope.as_ref()?;
        let (image, inline_depth) = (loaded.image.index(), self.frame?.inline_depth);
        Some(CodeScope { image, address: scope.address(), inline_depth })
    }

    /// Returns the block of the frame's function that declares a variable; `None` if its value needs no frame.
    pub fn declaring_block(&self, named: &NamedValue) -> Option<Block> {
        // Thread-local and static variables are the same in all frames.
        if matches!(named.place, Ok(Place::Memory(address)) if self.is_static(address)) {
            return None;
        }
        let (loaded, scope) = self.scope.as_ref()?;
        let Some((depth, entry)) = scope.block_of(named.name.as_bytes()) else {
            return self.host_view()?.declaring_block(named);
        };
        let (image, nesting, function) = (loaded.image.index(), scope.nesting(), scope.function_ranges());
        Some(Block { image, entry, nesting, depth, function })
    }
}
