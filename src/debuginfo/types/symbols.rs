//! The names and types at one place of the program, as expressions ask for them.

use super::classes::ClassDetail;
use super::description::{Kind, NamedValue, Place, Type, TypeRef};
use crate::dwarf::unit_language::UnitLanguage;
use model::VirtualAddress;
use std::sync::Arc;

/// The names and types at one place of the program. Implemented for a frame, and by tests with a table.
pub trait Symbols {
    /// The type behind a reference. What cannot be read is [`Kind::Unknown`].
    fn type_of(&self, reference: &TypeRef) -> Arc<Type>;
    /// Inner blocks first, then parameters, file scope, other files; functions too (place: their code, type function).
    fn variable(&self, name: &str) -> Option<NamedValue>;
    /// All functions of a name, of the file of the frame first.
    fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.variable(name).into_iter().collect()
    }

    /// The index of a function in the table of virtual functions.
    fn virtual_slot(&self, _function: &TypeRef) -> Option<u64> {
        None
    }

    /// A type by its C spelling without pointers: `int`, `unsigned long`, `struct cell`, a typedef.
    fn type_named(&self, name: &str) -> Option<TypeRef>;
    /// The types that a template was instantiated with; values among its arguments are not counted.
    fn template_arguments(&self, _: &TypeRef) -> Vec<TypeRef> {
        Vec::new()
    }

    /// A type that is declared within another.
    fn nested_type(&self, _: &TypeRef, _name: &str) -> Option<TypeRef> {
        None
    }

    /// The type is only declared where it is referred to, though another file may define it.
    fn is_declared_here(&self, _: &TypeRef) -> bool {
        false
    }

    /// An array at an address with the bounds and the place that it has there, or why it has none (`not allocated`);
    /// `None` where its type says all.
    fn measured(&self, _array: &TypeRef, _at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        None
    }

    /// The details of a class beside its data; `None` for what is no class of the debug information.
    fn class(&self, _: &TypeRef) -> Option<ClassDetail> {
        None
    }

    /// The alignment of the type by the ABI.
    fn alignment_of(&self, reference: &TypeRef) -> u64 {
        fn alignment<S: Symbols + ?Sized>(s: &S, reference: &TypeRef, depth: u32) -> u64 {
            let ty = s.type_of(reference);
            match &ty.kind {
                _ if depth > 32 => 1,
                Kind::Typedef(next) | Kind::Qualified(_, next) | Kind::Array { element: next, .. } => {
                    alignment(s, next, depth + 1)
                }
                Kind::Aggregate { members, .. } => {
                    let own = members.iter().filter(|member| !member.is_static);
                    own.map(|member| alignment(s, &member.ty, depth + 1)).max().unwrap_or(1)
                }
                _ => ty.size.filter(|size| size.is_power_of_two()).unwrap_or(8).min(16),
            }
        }
        alignment(self, reference, 0)
    }

    /// A register by name, without `$`: `rip`, `sp`, `xmm0`, `eflags`.
    fn register_named(&self, name: &str) -> Option<u16>;
    /// The symbol that covers an address, and the distance into it; for `<main+4>`.
    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)>;
    /// The address is in executable code or static data (gdb prints symbols only there).
    fn is_static(&self, address: VirtualAddress) -> bool {
        self.symbol_at(address).is_some()
    }

    /// The language of the frame's code.
    fn unit_language(&self) -> UnitLanguage {
        UnitLanguage::C
    }

    /// The module of the frame's function, from its crate on.
    fn module(&self) -> Option<String> {
        None
    }

    /// The type whose methods a table at an address has, which makes a trait object of it.
    fn implementor(&self, _table: VirtualAddress) -> Option<TypeRef> {
        None
    }

    /// The release of GCC that the C++ library of the program is of, whose printers' words are used.
    fn library_release(&self) -> u32 {
        12
    }
}
