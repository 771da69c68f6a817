//! What a function that was finished handed back.

use super::evaluate::Value;
use super::trace::Tid;
use super::tracee::Tracee;
use super::types::{Encoding, Kind, Place, Surroundings, TypeRef};
use crate::model::VirtualAddress;
use crate::model::aif::{FormatOptions, format};

/// DWARF numbers of the registers that hand back values (System V ABI, AMD64 supplement, 3.2.3).
const RAX: u16 = 0;
const XMM0: u16 = 17;
const ST0: u16 = 33;

impl Tracee {
    /// What the function of a frame hands back; `None` for nothing, or when it is not known.
    pub(super) fn return_type(&mut self, tid: Tid, level: u32) -> Option<TypeRef> {
        self.look(tid, |thread| {
            let name = thread.frame(level).ok()?.frame.function?;
            let returns = thread.at(level, |view| {
                let function = view.variable(&name).map(|found| view.type_of(&found.ty));
                Ok(function.and_then(|ty| match &ty.kind {
                    Kind::Function { returns, .. } => Some(returns.clone()),
                    _ => None,
                }))
            });
            returns.ok().flatten().filter(|ty| *ty != TypeRef::Void)
        })
    }

    /// The value in words, right after the return.
    pub(super) fn returned_value(&mut self, tid: Tid, ty: &TypeRef) -> Option<String> {
        self.look(tid, |thread| {
            let text = thread.at(0, |view| {
                let Some(place) = place_of(view, ty) else { return Ok(None) };
                let datum = Value::new(ty.clone(), place).to_datum(view)?;
                Ok(format(&datum, &FormatOptions::default()).ok())
            });
            text.ok().flatten().map(|text| format!("value returned: {text}"))
        })
    }
}

/// Where a value of a type is handed back. Small structures come in pieces of registers by a classification of their
/// members; of those nothing is said.
fn place_of(view: &dyn Surroundings, ty: &TypeRef) -> Option<Place> {
    let found = view.type_of(ty);
    match &found.kind {
        Kind::Typedef(of) | Kind::Qualified(_, of) => place_of(view, of),
        Kind::Base(Encoding::Float) if found.size == Some(16) => Some(Place::Register(ST0)),
        Kind::Base(Encoding::Float) => Some(Place::Register(XMM0)),
        Kind::Base(Encoding::Complex | Encoding::Other(_)) => None,
        Kind::Base(_) | Kind::Pointer(_) | Kind::Reference(..) | Kind::Enumeration { .. } => Some(Place::Register(RAX)),
        Kind::Aggregate { .. } if found.size.is_some_and(|size| size > 16) => {
            let address = view.register(RAX)?.try_into().ok().map(u64::from_le_bytes)?;
            Some(Place::Memory(VirtualAddress(address)))
        }
        _ => None,
    }
}
