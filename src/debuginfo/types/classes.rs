//! The details of a class beside its data: access of its members, its methods, names of types, and what it was
//! instantiated with.

use super::description::TypeRef;
use std::sync::Arc;

/// Access of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody may use it.
    Public,
    /// Classes derived from it.
    Protected,
    /// Only the class itself.
    Private,
}

/// Of each of the members that [`Kind::Aggregate`](super::description::Kind) lists, in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberDetail {
    /// Its access.
    pub access: Access,
    /// Made by the compiler.
    pub artificial: bool,
}

/// A method as its class declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodDetail {
    /// Its name without the class before it.
    pub name: Arc<str>,
    /// Its access.
    pub access: Access,
    /// Made by the compiler.
    pub artificial: bool,
    /// It has a place in the table of virtual functions.
    pub is_virtual: bool,
    /// It constructs objects of the class.
    pub constructor: bool,
    /// `Void` where it returns nothing.
    pub returns: TypeRef,
    /// In order, the object among them; `true` where the compiler made it.
    pub parameters: Vec<(TypeRef, bool)>,
    /// More arguments may follow: `...`.
    pub variadic: bool,
}

impl MethodDetail {
    /// Called without an object.
    pub fn is_static(&self) -> bool {
        self.parameters.first().is_none_or(|(_, artificial)| !artificial)
    }
}

/// The details of a class beside its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassDetail {
    /// Details of each member.
    pub members: Vec<MemberDetail>,
    /// In the order of their declarations.
    pub methods: Vec<MethodDetail>,
    /// Typedefs within it: name, the typedef itself, and who may use it.
    pub typedefs: Vec<(Arc<str>, TypeRef, Access)>,
    /// Other classes or enumerations are declared within it.
    pub has_nested: bool,
    /// The types among the arguments of its template, by the names of the parameters.
    pub template: Vec<(Arc<str>, TypeRef)>,
}
