//! One frame of a stopped thread: resolves its names and reads its memory and registers.

use super::imports::Import;
use super::scope::FrameScope;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use crate::dwarf::unit_language::UnitLanguage;
use crate::functions::named::named;
use crate::images::loaded::{LoadedImage, LoadedImages};
use crate::types::description::{Kind, MemoryFault, NamedValue, TypeId, TypeRef};
use crate::types::symbols::Symbols;
use crate::types::tags::{Tag, TypeName, best, is_declaration};
use crate::unwind::caller::lookup_address;
use crate::unwind::registers::{FS_BASE, Home, RIP, register_numbered};
use crate::unwind::stack::StackFrame;
use crate::unwind::thread_access::ThreadAccess;
use crate::variables::locator::Locator;
use crate::variables::thread_locals::is_thread_local;
use model::VirtualAddress;
use model::glob_matches_bytes;
use std::cell::OnceCell;
use std::sync::Arc;

/// One frame of a stopped thread. If `frame` is `None`, only globals are known.
pub struct FrameView<'a> {
    pub(crate) images: &'a LoadedImages,
    pub(crate) frame: Option<&'a StackFrame>,
    pub(crate) thread: &'a dyn ThreadAccess,
    /// The scope at the program counter, if there is debug information for it.
    pub(crate) scope: Option<(&'a LoadedImage, FrameScope<'a>)>,
    pub(super) language: OnceCell<UnitLanguage>,
    /// The GCC release of the C++ library.
    pub(super) library: OnceCell<u32>,
    /// The frame of the function in which this one's is nested.
    pub(super) host: OnceCell<Option<StackFrame>>,
    /// The names that the frame's unit takes from other scopes.
    pub(super) imports: OnceCell<Vec<Import>>,
}

impl<'a> FrameView<'a> {
    /// Makes a view of a frame; without one, only globals are known.
    pub fn new(images: &'a LoadedImages, frame: Option<&'a StackFrame>, thread: &'a dyn ThreadAccess) -> Self {
        let scope = frame.and_then(|frame| {
            let (loaded, _) = images.locate(lookup_address(frame.registers.pc()?, frame.interrupted))?;
            Some((loaded, FrameScope::of(loaded, frame)?))
        });
        let (language, library, host) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { images, frame, thread, scope, language, library, host, imports: OnceCell::new() }
    }

    /// Returns variables of the blocks that contain the program counter, inner ones first, including those hidden by an
    /// inner block, as gdb lists them.
    pub fn locals(&self) -> Vec<NamedValue> {
        self.of_scope(FrameScope::variables)
    }

    /// Returns the parameters of the function, in order.
    pub fn arguments(&self) -> Vec<NamedValue> {
        self.of_scope(FrameScope::parameters)
    }

    fn of_scope<'s>(&'s self, entries: impl FnOnce(&'s FrameScope<'a>) -> Vec<(&'a Unit, Entry)>) -> Vec<NamedValue> {
        let Some((loaded, scope)) = &self.scope else { return Vec::new() };
        let Some(locator) = self.locator(loaded, Some(scope)) else { return Vec::new() };
        entries(scope).iter().filter_map(|(unit, entry)| locator.value(unit, entry)).collect()
    }

    /// True if debug information covers the frame.
    pub fn has_debug_information(&self) -> bool {
        self.scope.is_some()
    }

    /// Returns the return type of the frame's function; `None` without debug information.
    pub fn returned_type(&self) -> Option<TypeRef> {
        let (loaded, scope) = self.scope.as_ref()?;
        let (unit, entry) = scope.function();
        Some(self.locator(loaded, Some(scope))?.target(unit, entry))
    }

    /// Returns variables outside functions whose names match a glob (`*`, `?`), by name: only the program's for `*`,
    /// those of all files for anything narrower.
    pub fn globals(&self, glob: &str) -> Vec<NamedValue> {
        let files = if glob == "*" { 1 } else { usize::MAX };
        outside_functions(self, glob, files, &|_, _| true)
    }

    pub(crate) fn locator<'s>(
        &'s self,
        loaded: &'s LoadedImage,
        frame: Option<&'s FrameScope<'a>>,
    ) -> Option<Locator<'s>> {
        let debug = loaded.image.debug()?;
        let thread_pointer = self.frame.and_then(|frame| frame.registers.get(FS_BASE));
        Some(Locator {
            images: self.images,
            loaded,
            debug,
            thread: self.thread,
            thread_pointer,
            frame,
            reads_code: false,
            object: None,
            depth: 0,
        })
    }

    /// Returns files in lookup order, the frame's own first.
    pub(crate) fn files(&self) -> impl Iterator<Item = &'a LoadedImage> {
        let images = self.images;
        let of_frame = || self.frame.and_then(|frame| images.find(frame.registers.pc()?));
        let own = self.scope.as_ref().map(|(loaded, _)| *loaded).or_else(of_frame);
        let index = own.map(|own| own.image.index());
        own.into_iter().chain(images.iter().filter(move |loaded| Some(loaded.image.index()) != index))
    }

    /// Looks up a variable or parameter of the blocks around the program counter.
    pub(crate) fn local(&self, name: &str) -> Option<(&'a LoadedImage, &FrameScope<'a>, &'a Unit, Entry)> {
        let (loaded, scope) = self.scope.as_ref()?;
        let (unit, entry) = scope.named(name.as_bytes()).filter(|_| !name.contains("::"))?;
        Some((loaded, scope, unit, entry))
    }

    /// Returns the unit of the program's main function.
    pub(crate) fn main_unit(&self) -> Option<&'a Unit> {
        let program = &self.images.executable()?.image;
        program.span_at(program.entry_points().main_program()?).map(|(_, unit, _)| unit)
    }

    /// Returns the entry of a type without typedefs and qualifiers.
    pub(super) fn entry_behind(&self, reference: &TypeRef) -> Option<(&'a LoadedImage, u64)> {
        let mut reference = reference.clone();
        for _ in 0..LONGEST_CHAIN {
            let TypeRef::Entry(id) = &reference else { return None };
            match &self.type_of(&reference).kind {
                Kind::Typedef(next) | Kind::Qualified(_, next) => reference = next.clone(),
                _ => return Some((self.images.by_index(id.image)?, id.entry)),
            }
        }
        None
    }

    /// Returns the entry of a type without typedefs and qualifiers, preferring its definition.
    pub(crate) fn complete_entry(&self, reference: &TypeRef) -> Option<(&'a LoadedImage, u64)> {
        let (loaded, entry) = self.entry_behind(reference)?;
        Some(self.completion_of(loaded, entry).unwrap_or((loaded, entry)))
    }

    /// Returns the definition of a type if its entry is a declaration.
    pub(super) fn completion_of(&self, loaded: &LoadedImage, entry: u64) -> Option<(&'a LoadedImage, u64)> {
        let ty = loaded.image.types().at(entry);
        let Kind::Aggregate { declaration: true, .. } = ty.kind else { return None };
        let name = ty.name.as_ref()?;
        let complete = self.images.completion(name, || self.completed(loaded, name))?;
        Some((self.images.by_index(complete.image)?, complete.entry))
    }

    /// Finds the definition of an aggregate that `loaded` only declares.
    fn completed(&self, loaded: &LoadedImage, name: &Arc<str>) -> Option<TypeId> {
        let wanted = TypeName { name, tag: Some(Tag::Aggregate) };
        let others = self.images.iter().filter(|other| other.image.index() != loaded.image.index());
        std::iter::once(loaded).chain(others).find_map(|loaded| {
            let units = loaded.image.units()?;
            let debug = &units.debug;
            let id = best(debug, &wanted, named(units, name, Named::Type)).filter(|id| !is_declaration(debug, *id))?;
            Some(TypeId { image: loaded.image.index(), entry: debug.offset_of(id) })
        })
    }
}

/// The limit on typedefs and qualifiers of one type; a longer chain is a cycle.
const LONGEST_CHAIN: usize = 64;

impl FrameView<'_> {
    /// Reads memory as the program sees it.
    pub fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.thread.read(address, into)
    }

    /// Writes all of `data`, or fails.
    pub fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        self.thread.write(address, data)
    }

    /// Returns a register of the frame by DWARF number, little endian, 8 bytes (16 for vector registers, 10 for x87).
    pub fn register(&self, number: u16) -> Option<Vec<u8>> {
        let kept = self.frame.and_then(|frame| frame.registers.get(number));
        match kept {
            Some(value) => {
                let size = register_numbered(number).map_or(8, |row| usize::from(row.size));
                value.to_le_bytes().get(..size.max(8)).map(<[u8]>::to_vec)
            }
            // A general register that the frame does not know is lost; the thread's own value belongs to another frame.
            None if number <= RIP && self.frame.is_some() => None,
            None => self.thread.register(number),
        }
    }

    /// Changes a register of the frame in its saved place; `false` if it cannot.
    pub fn set_register(&self, number: u16, data: &[u8]) -> bool {
        match self.frame.map(|frame| frame.registers.home(number)) {
            Some(Home::Memory(address)) => self.thread.write(address, data).is_ok(),
            Some(Home::Nowhere) => false,
            Some(Home::Register) | None => self.thread.set_register(number, data),
        }
    }

    /// Returns the `siginfo_t` of the signal that stopped the thread.
    pub fn signal_information(&self) -> Option<Vec<u8>> {
        self.thread.signal_information()
    }

    /// Returns the number of the thread, if it has one.
    pub fn thread_number(&self) -> Option<u32> {
        self.thread.thread_number()
    }
}

/// As [`FrameView::globals`], those of which each thread has its own: of all files, since few have any.
pub fn thread_locals(view: &FrameView<'_>, glob: &str) -> Vec<NamedValue> {
    outside_functions(view, glob, usize::MAX, &is_thread_local)
}

fn outside_functions(
    view: &FrameView<'_>,
    glob: &str,
    files: usize,
    is_wanted: &dyn Fn(&DebugInformation, EntryId) -> bool,
) -> Vec<NamedValue> {
    let mut found = Vec::new();
    for loaded in view.images.iter().take(files) {
        let Some(units) = loaded.image.units() else { continue };
        let debug = &units.debug;
        units.read_all();
        let Some(locator) = view.locator(loaded, None) else { continue };
        for (index, names) in units.all_names() {
            for offset in names.of_sort(Named::Variable) {
                let Some(unit) = debug.unit(index) else { break };
                let id = EntryId { unit: unit.index, offset };
                let name = debug.base_name(id).unwrap_or_default();
                if !glob_matches_bytes(glob.as_bytes(), name) || !is_wanted(debug, id) {
                    continue;
                }
                let entry = unit.entry(offset);
                found.extend(entry.and_then(|entry| locator.value(unit, &entry)));
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}
