//! The names that expressions of a printer see: members of the value, `$` names of the printer, and what is global.

use super::checked_expression::PREFIX;
use super::pattern::Capture;
use crate::EvalError;
use crate::call_request::CallRequest;
use crate::context::EvalContext;
use crate::eval::access::member;
use crate::eval::operand::integer_value;
use crate::machine::Machine;
use crate::types::stripped;
use crate::value::Value;
use debuginfo::UnitLanguage;
use debuginfo::types::builtin::{Builtin, pointer_to};
use debuginfo::types::classes::ClassDetail;
use debuginfo::types::parameters::Parameter;
use debuginfo::types::{Kind, MemoryFault, NamedValue, Place, Symbols, Type, TypeRef};
use model::{ErrorCode, VirtualAddress};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What `$` names stand for, besides the arguments of the template.
#[derive(Clone, Default)]
pub(super) struct Local {
    pub(super) index: Option<u64>,
    pub(super) node: Option<Value>,
    pub(super) item: Option<Value>,
}

/// The names in a printer's expression.
pub(super) struct Scope<'a> {
    /// The context of the frame, whose machine only reads.
    pub(super) outer: EvalContext<'a>,
    /// The object whose members are named.
    pub(super) object: Value,
    /// The value that is printed.
    pub(super) whole: &'a Value,
    pub(super) local: Local,
    pub(super) captures: &'a [Capture],
    pub(super) types: &'a BTreeMap<String, TypeRef>,
    /// True if names are those of C++, whatever the frame's language.
    pub(super) is_cpp: bool,
}

/// Returns the type of the template's argument that `T1` and the like stand for.
fn numbered<'a>(captures: &'a [Capture], name: &str) -> Option<&'a Capture> {
    let number: usize = name.strip_prefix('T')?.parse().ok()?;
    captures.get(number.checked_sub(1)?)
}

impl Scope<'_> {
    pub(super) fn context(&self) -> EvalContext<'_> {
        self.outer.within(self)
    }

    /// Returns the scope with other `$` names.
    pub(super) fn at(&self, local: Local) -> Scope<'_> {
        let Scope { outer, object, whole, captures, types, is_cpp, .. } = self;
        Scope { outer: *outer, object: object.clone(), whole, local, captures, types, is_cpp: *is_cpp }
    }

    fn pointer(&self, to: &Value) -> NamedValue {
        let place = match (to.address(), to.place()) {
            (Some(address), _) => Place::Bytes(address.0.to_le_bytes().to_vec()),
            (None, place) => Place::Synthetic(Box::new(place.clone()), to.offset()),
        };
        NamedValue { name: "this".into(), ty: pointer_to(to.ty().clone()), place: Ok(place) }
    }

    fn own(&self, name: &str) -> Option<NamedValue> {
        let named = |value: &Value| {
            let place = match value.place() {
                place if value.offset() == 0 => place.clone(),
                _ => return None,
            };
            Some(NamedValue { name: name.into(), ty: value.ty().clone(), place: Ok(place) })
        };
        match name {
            "i" => named(&integer_value(i128::from(self.local.index?), Builtin::UnsignedLong)),
            "node" => named(self.local.node.as_ref()?),
            "item" => named(self.local.item.as_ref()?),
            "this" => Some(self.pointer(self.whole)),
            _ => {
                let number = numbered(self.captures, name).filter(|capture| capture.ty.is_none())?.number()?;
                named(&integer_value(number, Builtin::Long))
            }
        }
    }

    fn is_aggregate(&self) -> bool {
        matches!(stripped(self.object.ty(), &self.outer).1.kind, Kind::Aggregate { .. } | Kind::Variants(_))
    }
}

impl Symbols for Scope<'_> {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        self.outer.symbols().type_of(reference)
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        if let Some(own) = name.strip_prefix(PREFIX) {
            return self.own(own);
        }
        if name == "this" {
            return self.is_aggregate().then(|| self.pointer(&self.object));
        }
        if name.contains("::") {
            return self.outer.symbols().variable(name);
        }
        if self.is_aggregate()
            && let Ok(found) = member(&self.object, name, true, &self.outer)
        {
            let is_plain = found.bit_field().is_none() && found.address().is_some();
            // Others are found as members of `this`.
            return is_plain.then(|| NamedValue {
                name: name.into(),
                ty: found.ty().clone(),
                place: Ok(found.place().clone()),
            });
        }
        // The variables of the frame are not those of the printer.
        self.outer.symbols().variable(&format!("::{name}"))
    }

    fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.outer.symbols().functions(name)
    }

    fn virtual_slot(&self, function: &TypeRef) -> Option<u64> {
        self.outer.symbols().virtual_slot(function)
    }

    fn parameters(&self, function: &TypeRef) -> Option<Vec<Parameter>> {
        self.outer.symbols().parameters(function)
    }

    fn type_named(&self, name: &str) -> Option<TypeRef> {
        let Some(own) = name.strip_prefix(PREFIX) else {
            let nested = || self.outer.symbols().nested_type(self.whole.ty(), name);
            return self.outer.symbols().type_named(name).or_else(nested);
        };
        if let Some(ty) = self.types.get(own) {
            return Some(ty.clone());
        }
        let capture = numbered(self.captures, own)?;
        let is_number = || capture.number().is_some();
        capture.ty.clone().or_else(|| self.outer.symbols().type_named(&capture.text).filter(|_| !is_number()))
    }

    fn template_arguments(&self, ty: &TypeRef) -> Vec<TypeRef> {
        self.outer.symbols().template_arguments(ty)
    }

    fn nested_type(&self, ty: &TypeRef, name: &str) -> Option<TypeRef> {
        self.outer.symbols().nested_type(ty, name)
    }

    fn is_declared_here(&self, ty: &TypeRef) -> bool {
        self.outer.symbols().is_declared_here(ty)
    }

    fn measured(&self, array: &TypeRef, at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        self.outer.symbols().measured(array, at)
    }

    fn class(&self, ty: &TypeRef) -> Option<ClassDetail> {
        self.outer.symbols().class(ty)
    }

    fn alignment_of(&self, reference: &TypeRef) -> u64 {
        self.outer.symbols().alignment_of(reference)
    }

    fn register_named(&self, _: &str) -> Option<u16> {
        None
    }

    fn file_at(&self, address: VirtualAddress) -> Option<Arc<str>> {
        self.outer.symbols().file_at(address)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.outer.symbols().symbol_at(address)
    }

    fn is_static(&self, address: VirtualAddress) -> bool {
        self.outer.symbols().is_static(address)
    }

    fn unit_language(&self) -> UnitLanguage {
        if self.is_cpp { UnitLanguage::Cplusplus } else { self.outer.symbols().unit_language() }
    }

    fn module(&self) -> Option<String> {
        self.outer.symbols().module()
    }

    fn implementor(&self, table: VirtualAddress) -> Option<TypeRef> {
        self.outer.symbols().implementor(table)
    }

    fn library_release(&self) -> u32 {
        self.outer.symbols().library_release()
    }
}

/// A machine that a printer can only read.
pub(super) struct ReadOnly<'a>(pub(super) &'a dyn Machine);

impl Machine for ReadOnly<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.0.read(address, into)
    }

    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.0.register(number)
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        let message = format!("A printer calls no function of the program, such as {}.", request.name);
        Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, message))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        None
    }

    fn thread_number(&self) -> Option<u32> {
        None
    }
}
