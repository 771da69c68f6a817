//! One frame of a stopped thread: what its names mean, what its memory and registers hold.

use super::loaded::LoadedImages;
use super::registers::register_named;
use super::stack::StackFrame;
use super::thread_access::ThreadAccess;
use crate::engine::native::types::{Kind, MemoryFault, NamedValue, Surroundings, Type, TypeRef};
use crate::model::VirtualAddress;
use std::sync::Arc;

/// One frame of a stopped thread. `frame` `None`: no frame is to be had (or none is wanted); only globals are known.
pub struct FrameView<'a> {
    images: &'a LoadedImages,
    frame: Option<&'a StackFrame>,
    thread: &'a dyn ThreadAccess,
}

impl<'a> FrameView<'a> {
    /// A view of a frame.
    pub fn new(images: &'a LoadedImages, frame: Option<&'a StackFrame>, thread: &'a dyn ThreadAccess) -> Self {
        Self { images, frame, thread }
    }

    /// Variables of the blocks that contain the program counter, inner ones first; those of an outer block that an
    /// inner one hides are there too, as gdb lists them.
    pub fn locals(&self) -> Vec<NamedValue> {
        Vec::new()
    }

    /// Parameters, in order.
    pub fn arguments(&self) -> Vec<NamedValue> {
        Vec::new()
    }

    /// Variables outside functions whose name matches a glob (`*`, `?`), by name.
    pub fn globals(&self, _glob: &str) -> Vec<NamedValue> {
        Vec::new()
    }
}

impl Surroundings for FrameView<'_> {
    fn type_of(&self, _reference: &TypeRef) -> Arc<Type> {
        Arc::new(Type { name: None, size: None, kind: Kind::Void })
    }

    fn variable(&self, _name: &str) -> Option<NamedValue> {
        None
    }

    fn type_named(&self, _name: &str) -> Option<TypeRef> {
        None
    }

    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.thread.read(address, into)
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        self.thread.write(address, data)
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        let kept = self.frame.and_then(|frame| frame.registers.get(number));
        kept.map(|value| value.to_le_bytes().to_vec()).or_else(|| self.thread.register(number))
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        self.thread.set_register(number, data)
    }

    fn register_named(&self, name: &str) -> Option<u16> {
        register_named(name).map(|row| row.number)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        let (loaded, address) = self.images.locate(address)?;
        loaded.image.symbol_at(address)
    }
}
