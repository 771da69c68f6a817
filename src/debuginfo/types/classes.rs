//! The details of a class beyond its data: access of its members, methods, nested type names and template arguments.

use super::description::TypeRef;
use std::sync::Arc;

/// The access of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Accessible everywhere.
    Public,
    /// Accessible in the class and in classes derived from it.
    Protected,
    /// Accessible in the class itself only.
    Private,
}

/// A member that [`Kind::Aggregate`](super::description::Kind) lists; details come in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberDetail {
    /// As declared, or the default of the class's keyword; private for members that the compiler made.
    pub access: Access,
    /// True if the compiler made the member (`DW_AT_artificial`).
    pub artificial: bool,
}

/// A method as its class declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodDetail {
    /// Unqualified.
    pub name: Arc<str>,
    /// As declared, or the default of the class's keyword.
    pub access: Access,
    /// True if the compiler made the method (`DW_AT_artificial`).
    pub artificial: bool,
    /// True if the method has a slot in the virtual function table.
    pub is_virtual: bool,
    /// The slot, if it is known.
    pub slot: Option<u64>,
    /// The name of a virtual method with its class and parameters, as its symbol has it.
    pub full_name: Option<Arc<str>>,
    /// The return type, `Void` if it returns nothing; `None` for a constructor, which is declared without one.
    pub returns: Option<TypeRef>,
    /// The parameters in order, `this` included; `true` if the compiler made the parameter.
    pub parameters: Vec<(TypeRef, bool)>,
    /// True if more arguments may follow: `...`.
    pub variadic: bool,
}

impl MethodDetail {
    /// True if the method is called without an object.
    pub fn is_static(&self) -> bool {
        self.parameters.first().is_none_or(|(_, artificial)| !artificial)
    }
}

/// The details of a class beyond its data members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassDetail {
    /// One for each member of the aggregate, in the same order.
    pub members: Vec<MemberDetail>,
    /// In order of declaration.
    pub methods: Vec<MethodDetail>,
    /// Typedefs within the class: name, the typedef itself, and its access.
    pub typedefs: Vec<(Arc<str>, TypeRef, Access)>,
    /// True if other classes or enumerations are declared within it.
    pub has_nested: bool,
    /// Template arguments that are types, by the names of their parameters.
    pub template: Vec<(Arc<str>, TypeRef)>,
}
