//! Places of names that are the same whenever a thread reaches one code address, for conditions that are evaluated
//! often.

use super::locator::Locator;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::entry::Slice;
use crate::dwarf::unit::Unit;
use crate::frame::view::FrameView;
use crate::types::description::{MemoryFault, Place, TypeRef};
use crate::types::symbols::Symbols;
use crate::unwind::thread_access::{ReadMemory, ThreadAccess};
use gimli::{CfaRule, Operation};
use model::VirtualAddress;

/// The place of a name whenever a thread is at a code address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixedPlace {
    /// Always the same place or value.
    At(Place),
    /// A general register, by DWARF number, and a byte offset from the address in it.
    Beside(u16, i64),
}

/// Stands for a thread that does not exist: names that need one have no fixed place.
#[derive(Clone, Copy, Debug)]
pub struct NoThread;

impl ReadMemory for NoThread {
    fn read(&self, address: VirtualAddress, _: &mut [u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }
}

impl ThreadAccess for NoThread {
    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, _: u16) -> Option<Vec<u8>> {
        None
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }
}

impl FrameView<'_> {
    /// Returns the type and place of a name at the frame's address. `None` if the name is unknown there, or its place
    /// depends on more than the address and the general registers. The view must be of a frame made by
    /// [`StackFrame::at_address`](crate::StackFrame::at_address) and of [`NoThread`].
    pub fn fixed(&self, name: &str) -> Option<(TypeRef, FixedPlace)> {
        let local = self.local(name).and_then(|(loaded, scope, unit, entry)| {
            let locator = self.locator(loaded, Some(scope))?;
            let place = locator.beside_a_register(unit, &entry)?;
            Some((locator.value(unit, &entry)?.ty, place))
        });
        local.or_else(|| {
            let found = self.variable(name)?;
            match found.place {
                Ok(place @ (Place::Memory(_) | Place::Bytes(_))) => Some((found.ty, FixedPlace::At(place))),
                _ => None,
            }
        })
    }
}

impl Locator<'_> {
    /// Returns a variable's place if its location is a single operation that gives a register, or an offset from one.
    fn beside_a_register(&self, unit: &Unit, entry: &Entry) -> Option<FixedPlace> {
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        let (unit, value) = self.debug.inherited(id, gimli::DW_AT_location)?;
        match self.only_operation(unit, value)? {
            Operation::FrameOffset { offset } => {
                let (register, base) = self.fixed_frame_base()?;
                Some(FixedPlace::Beside(register, base.checked_add(offset)?))
            }
            Operation::RegisterOffset { register, offset, base_type } if base_type.0 == 0 => {
                Some(FixedPlace::Beside(register.0, offset))
            }
            Operation::Register { register } => Some(FixedPlace::At(Place::Register(register.0))),
            _ => None,
        }
    }

    fn only_operation(&self, unit: &Unit, value: crate::dwarf::entry::Attribute) -> Option<Operation<Slice>> {
        let mut rest = self.expression(unit, value).ok()??.0;
        let operation = Operation::parse(&mut rest, unit.dwarf.encoding()).ok()?;
        rest.is_empty().then_some(operation)
    }

    /// Returns the base of `DW_OP_fbreg`, as a register and an offset.
    fn fixed_frame_base(&self) -> Option<(u16, i64)> {
        let frame = self.frame?;
        let (unit, function) = frame.function();
        match self.only_operation(unit, function.attr_value(gimli::DW_AT_frame_base)?)? {
            Operation::CallFrameCFA => {
                self.loaded.image.call_frames().with_rules(frame.address(), |rules| match rules.row.cfa() {
                    CfaRule::RegisterAndOffset { register, offset } => Some((register.0, *offset)),
                    CfaRule::Expression(_) => None,
                })?
            }
            Operation::Register { register } => Some((register.0, 0)),
            Operation::RegisterOffset { register, offset, base_type } if base_type.0 == 0 => Some((register.0, offset)),
            _ => None,
        }
    }
}
