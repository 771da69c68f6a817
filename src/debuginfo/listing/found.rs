//! What searches through a file find. The last search of a file is kept: the ranks of a server ask the same of the same
//! file.

use crate::dwarf::unit_language::UnitLanguage;
use crate::types::description::TypeRef;
use model::FileAddress;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

/// The kind of definitions that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sought {
    /// Functions with code of their own.
    Functions,
    /// Global and static variables.
    Variables,
    /// Types with a name.
    Types,
}

/// A definition of a function, a variable or a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// With its namespaces and classes; a function of C++ with its parameters.
    pub name: Arc<str>,
    /// The file that declares it, by the name that the compiler was given.
    pub file: Arc<str>,
    /// The line of the declaration; `None` if the compiler made it.
    pub line: Option<u32>,
    /// True if no other file can use it.
    pub is_static: bool,
    /// The type.
    pub ty: TypeRef,
    /// The type that its declaration gives to the name: for a function whose name has its parameters, what it returns.
    pub of_name: TypeRef,
    /// True if it is a type.
    pub is_type: bool,
    /// The language of its unit, in which gdb writes its declaration.
    pub language: UnitLanguage,
}

impl Definition {
    /// The order in which gdb lists definitions: by file, those that other files can use first, then by name.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let key = |one: &Self| (Arc::clone(&one.file), one.is_static, Arc::clone(&one.name));
        key(self).cmp(&key(other))
    }
}

/// A symbol without debug information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undescribed {
    /// The address in the file.
    pub address: FileAddress,
    /// Demangled.
    pub name: Arc<str>,
}

/// A search was interrupted, and found nothing for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// What a search for definitions has found in a file.
#[derive(Debug, Default)]
pub struct FoundInFile {
    /// In gdb's order.
    pub definitions: Vec<Definition>,
    /// Symbols without debug information, by address.
    pub undescribed: Vec<Undescribed>,
}

/// The last search through a file, by what was sought.
#[derive(Default)]
pub(crate) struct KeptSearch(pub(super) Mutex<Option<LastSearch>>);

/// What was sought and whether only what is described, the condition, and what was found.
pub(super) type LastSearch = ((Sought, bool), Arc<str>, Arc<FoundInFile>);
