//! Conditions prepared for one code address: their names are resolved once, so that an arrival needs only the thread's
//! registers and the memory that the condition reads.

use crate::native::ptrace::MemoryPrefetch;
use debuginfo::types::{MemoryFault, NamedValue, Place, Symbols, Type, TypeRef};
use debuginfo::{FixedPlace, FrameView, LoadedImages, NoThread, Registers, StackFrame, UnitLanguage};
use expr::call_request::CallRequest;
use expr::{EvalContext, EvalError, Expression, Machine, StoppedAccess, not_called};
use model::VirtualAddress;
use std::sync::Arc;

#[derive(Debug)]
struct PreparedName {
    name: Arc<str>,
    /// The type and the place; `None` if it is no variable.
    variable: Option<(TypeRef, FixedPlace)>,
}

/// A condition prepared for one code address.
#[derive(Debug)]
pub(in crate::native) struct Prepared {
    /// The files in which its names were resolved.
    images: LoadedImages,
    names: Vec<PreparedName>,
    language: UnitLanguage,
    /// The memory that earlier evaluations have read.
    pub(in crate::native) prefetch: MemoryPrefetch,
}

impl Prepared {
    /// Returns `None` if the condition must be evaluated like any other expression: where functions are inlined, if it
    /// calls, assigns or names types, and if the place of a name depends on more than the registers. Reads debug
    /// information.
    pub(in crate::native) fn at(
        images: &LoadedImages,
        condition: &Expression,
        address: VirtualAddress,
    ) -> Option<Self> {
        let (loaded, at) = images.locate(address)?;
        if loaded.image.inline_count(at) > 0 {
            return None;
        }
        let frame = StackFrame::at_address(address);
        let view = FrameView::new(images, Some(&frame), &NoThread);
        let mut names = Vec::new();
        for name in condition.plain_names(&view)? {
            let variable = view.fixed(&name);
            if variable.is_none() && view.variable(&name).is_some() {
                return None;
            }
            names.push(PreparedName { name, variable });
        }
        let language = view.unit_language();
        Some(Self { images: images.clone(), names, language, prefetch: MemoryPrefetch::default() })
    }

    /// True if no file has been loaded or unloaded since it was prepared.
    pub(in crate::native) fn is_of(&self, images: &LoadedImages) -> bool {
        self.images.are(images)
    }

    /// Evaluates the condition for a thread at the address. Returns `None` on any failure; a full evaluation then gives
    /// the reason.
    pub(in crate::native) fn holds(
        &self,
        condition: &Expression,
        registers: &Registers,
        access: &dyn StoppedAccess,
    ) -> Option<bool> {
        let view = PreparedView { prepared: self, rest: FrameView::new(&self.images, None, access), registers };
        condition.condition(&EvalContext::new(&view, &view).of_rank(access.value_history(), access.budget())).ok()
    }
}

/// Evaluates the condition for a thread at the address.
struct PreparedView<'a> {
    prepared: &'a Prepared,
    /// Used for everything except names.
    rest: FrameView<'a>,
    registers: &'a Registers,
}

impl Symbols for PreparedView<'_> {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        self.rest.type_of(reference)
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        let known = self.prepared.names.iter().find(|known| *known.name == *name)?;
        let (ty, place) = known.variable.as_ref()?;
        let place = match place {
            FixedPlace::At(place) => place.clone(),
            FixedPlace::Beside(register, distance) => {
                Place::Memory(VirtualAddress(self.registers.get(*register)?.wrapping_add_signed(*distance)))
            }
        };
        Some(NamedValue { name: Arc::clone(&known.name), ty: ty.clone(), place: Ok(place) })
    }

    fn type_named(&self, _: &str) -> Option<TypeRef> {
        None
    }

    fn register_named(&self, name: &str) -> Option<u16> {
        self.rest.register_named(name)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.rest.symbol_at(address)
    }

    fn unit_language(&self) -> UnitLanguage {
        self.prepared.language
    }
}

impl Machine for PreparedView<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.rest.read(address, into)
    }

    /// Always fails: a condition that writes is not prepared.
    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.rest.register(number)
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        self.rest.signal_information()
    }

    fn thread_number(&self) -> Option<u32> {
        self.rest.thread_number()
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        Err(not_called(request))
    }
}
