//! A program as a table: types, variables, memory, symbols. Reads are counted.

use crate::call_request::CallRequest;
use crate::{EvalContext, EvalError, Machine, not_called};
use debuginfo::UnitLanguage;
use debuginfo::types::{
    Aggregate, Dimension, Encoding, Kind, Member, MemoryFault, NamedValue, Place, Qualifier, Symbols, Type, TypeRef,
};
use model::VirtualAddress;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) fn made(name: Option<&str>, size: Option<u64>, kind: Kind) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: name.map(Arc::from), size, kind }))
}

pub(crate) fn base(name: &str, size: u64, encoding: Encoding) -> TypeRef {
    made(Some(name), Some(size), Kind::Base(encoding))
}

pub(crate) fn int() -> TypeRef {
    base("int", 4, Encoding::Signed)
}

pub(crate) fn char_type() -> TypeRef {
    base("char", 1, Encoding::SignedChar)
}

pub(crate) fn double() -> TypeRef {
    base("double", 8, Encoding::Float)
}

pub(crate) fn unsigned() -> TypeRef {
    base("unsigned int", 4, Encoding::Unsigned)
}

pub(crate) fn pointer(target: TypeRef) -> TypeRef {
    made(None, Some(8), Kind::Pointer(target))
}

pub(crate) fn array(element: TypeRef, counts: &[u64]) -> TypeRef {
    let dimensions =
        counts.iter().map(|count| Dimension { lower: 0, count: Some(*count), assumed: false, stride: None }).collect();
    made(None, None, Kind::Array { element, dimensions })
}

pub(crate) fn constant(ty: TypeRef) -> TypeRef {
    made(None, None, Kind::Qualified(Qualifier::Const, ty))
}

pub(crate) fn typedef(name: &str, ty: TypeRef) -> TypeRef {
    made(Some(name), None, Kind::Typedef(ty))
}

pub(crate) fn function(returns: TypeRef, parameters: Vec<TypeRef>) -> TypeRef {
    made(None, None, Kind::Function { returns, parameters, variadic: false, prototyped: true })
}

pub(crate) fn field(name: &str, ty: TypeRef, offset: u64) -> Member {
    let name = if name.is_empty() { None } else { Some(Arc::from(name)) };
    Member { name, ty, offset, bits: None, base: false, is_static: false, virtual_at: None }
}

pub(crate) fn bits(name: &str, ty: TypeRef, first: u64, width: u32) -> Member {
    Member { bits: Some((first, width)), ..field(name, ty, 0) }
}

pub(crate) fn structure(name: Option<&str>, size: u64, members: Vec<Member>) -> TypeRef {
    made(name, Some(size), Kind::Aggregate { tag: Aggregate::Struct, members, declaration: false })
}

pub(crate) fn union(name: Option<&str>, size: u64, members: Vec<Member>) -> TypeRef {
    made(name, Some(size), Kind::Aggregate { tag: Aggregate::Union, members, declaration: false })
}

pub(crate) fn enumeration(name: Option<&str>, enumerators: &[(&str, i64)]) -> TypeRef {
    let enumerators = enumerators.iter().map(|(name, value)| (Arc::from(*name), *value)).collect();
    made(name, Some(4), Kind::Enumeration { enumerators, signed: false, scoped: false })
}

/// A template as debug information describes it: its arguments, and the types declared in it.
#[derive(Default)]
pub(crate) struct Template {
    pub arguments: Vec<TypeRef>,
    pub nested: Vec<(&'static str, TypeRef)>,
}

#[derive(Default)]
pub(crate) struct Table {
    /// C unless it is said.
    pub language: Option<UnitLanguage>,
    pub types: HashMap<String, TypeRef>,
    /// The templates, by the names of their types.
    pub templates: HashMap<String, Template>,
    pub entries: HashMap<u64, Arc<Type>>,
    pub variables: HashMap<String, (TypeRef, Result<Place, String>)>,
    /// Blocks of memory: start address and bytes.
    pub memory: RefCell<Vec<(u64, Vec<u8>)>>,
    pub symbols: Vec<(u64, u64, &'static str)>,
    pub registers: RefCell<HashMap<u16, Vec<u8>>>,
    pub reads: Cell<usize>,
    pub writes: Cell<usize>,
    pub calls: Cell<usize>,
}

impl Table {
    pub(crate) fn context(&self) -> EvalContext<'_> {
        EvalContext::new(self, self)
    }

    /// Adds a variable in memory, with a symbol if its address is below 0x10000.
    pub(crate) fn place(&mut self, name: &'static str, ty: TypeRef, address: u64, bytes: &[u8]) {
        self.variables.insert(name.to_owned(), (ty, Ok(Place::Memory(VirtualAddress(address)))));
        self.memory.borrow_mut().push((address, bytes.to_vec()));
        if address < 0x10000 {
            self.symbols.push((address, bytes.len() as u64, name));
        }
    }

    pub(crate) fn put(&mut self, address: u64, bytes: &[u8]) {
        self.memory.borrow_mut().push((address, bytes.to_vec()));
    }

    fn template(&self, ty: &TypeRef) -> Option<&Template> {
        self.templates.get(self.type_of(ty).name.as_deref()?)
    }

    fn with_byte<T>(&self, address: u64, work: impl FnOnce(&mut u8) -> T) -> Result<T, MemoryFault> {
        let mut memory = self.memory.borrow_mut();
        memory
            .iter_mut()
            .find_map(|(start, bytes)| bytes.get_mut(address.checked_sub(*start)? as usize))
            .map(work)
            .ok_or(MemoryFault(VirtualAddress(address)))
    }
}

impl Machine for Table {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.reads.set(self.reads.get() + 1);
        for (number, byte) in into.iter_mut().enumerate() {
            *byte = self.with_byte(address.0.wrapping_add(number as u64), |byte| *byte)?;
        }
        Ok(())
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        self.writes.set(self.writes.get() + 1);
        for number in 0..data.len() {
            self.with_byte(address.0.wrapping_add(number as u64), |_| ())?;
        }
        for (number, new) in data.iter().enumerate() {
            self.with_byte(address.0.wrapping_add(number as u64), |byte| *byte = *new)?;
        }
        Ok(())
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.registers.borrow().get(&number).cloned()
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        self.registers.borrow_mut().insert(number, data.to_vec());
        true
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        self.calls.set(self.calls.get() + 1);
        Err(not_called(request))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        None
    }

    fn thread_number(&self) -> Option<u32> {
        None
    }
}

impl Symbols for Table {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        match reference {
            TypeRef::Made(made) => made.clone(),
            TypeRef::Entry(id) => self.entries.get(&id.entry).cloned().unwrap_or_else(|| {
                Arc::new(Type { name: None, size: None, kind: Kind::Unknown("missing".to_owned()) })
            }),
            TypeRef::Void => Arc::new(Type { name: Some("void".into()), size: None, kind: Kind::Void }),
        }
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        let (ty, place) = self.variables.get(name)?;
        Some(NamedValue { name: name.into(), ty: ty.clone(), place: place.clone() })
    }

    fn type_named(&self, name: &str) -> Option<TypeRef> {
        self.types.get(name).cloned()
    }

    fn template_arguments(&self, ty: &TypeRef) -> Vec<TypeRef> {
        self.template(ty).map_or_else(Vec::new, |template| template.arguments.clone())
    }

    fn nested_type(&self, ty: &TypeRef, name: &str) -> Option<TypeRef> {
        let template = self.template(ty)?;
        template.nested.iter().find(|(nested, _)| *nested == name).map(|(_, ty)| ty.clone())
    }

    fn unit_language(&self) -> UnitLanguage {
        self.language.unwrap_or(UnitLanguage::C)
    }

    fn register_named(&self, name: &str) -> Option<u16> {
        match name {
            "rax" => Some(0),
            "rsp" | "sp" => Some(7),
            "rip" | "pc" => Some(16),
            "eflags" => Some(49),
            _ => None,
        }
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        self.symbols
            .iter()
            .find(|(start, size, _)| (*start..start + size).contains(&address.0))
            .map(|(start, _, name)| (Arc::from(*name), address.0 - start))
    }
}
