//! Looks up names and types at one place in the program, for expressions.

use super::classes::ClassDetail;
use super::description::{Kind, NamedValue, Place, Type, TypeRef};
use super::parameters::Parameter;
use crate::dwarf::unit_language::UnitLanguage;
use model::VirtualAddress;
use std::sync::Arc;

/// Looks up names and types at one place in the program. Implemented for a frame, and by tests with a table.
pub trait Symbols {
    /// Returns the type behind a reference, or [`Kind::Unknown`] if it cannot be read.
    fn type_of(&self, reference: &TypeRef) -> Arc<Type>;
    /// Looks up a variable or function: inner blocks first, then parameters, file scope and other files. A function's
    /// place is its code.
    fn variable(&self, name: &str) -> Option<NamedValue>;
    /// Returns all functions of a name, those of the frame's file first.
    fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.variable(name).into_iter().collect()
    }

    /// Returns the index of a function in the virtual function table.
    fn virtual_slot(&self, _function: &TypeRef) -> Option<u64> {
        None
    }

    /// Returns the parameters of a function; `None` if its language passes arguments by value.
    fn parameters(&self, _function: &TypeRef) -> Option<Vec<Parameter>> {
        None
    }

    /// Looks up a type by its C spelling without pointers: `int`, `unsigned long`, `struct cell`, a typedef.
    fn type_named(&self, name: &str) -> Option<TypeRef>;
    /// Returns the type arguments of a template instance; value arguments are left out.
    fn template_arguments(&self, _: &TypeRef) -> Vec<TypeRef> {
        Vec::new()
    }

    /// Looks up a type declared within another.
    fn nested_type(&self, _: &TypeRef, _name: &str) -> Option<TypeRef> {
        None
    }

    /// True if the referring file only declares the type, even if another file defines it.
    fn is_declared_here(&self, _: &TypeRef) -> bool {
        false
    }

    /// True if the frame's unit has a namespace with this name.
    fn has_namespace(&self, _name: &str) -> bool {
        false
    }

    /// Resolves the bounds and place of an array at an address; the error says why it has no place (`not allocated`).
    /// `None` if the type needs no resolving.
    fn measured(&self, _array: &TypeRef, _at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        None
    }

    /// Returns the details of a class beyond its data; `None` if the type is not a class in the debug information.
    fn class(&self, _: &TypeRef) -> Option<ClassDetail> {
        None
    }

    /// Returns the alignment of a type by the ABI.
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
                // As gdb and gcc have it.
                Kind::Void => 1,
                _ => ty.size.filter(|size| size.is_power_of_two()).unwrap_or(8).min(16),
            }
        }
        alignment(self, reference, 0)
    }

    /// Looks up a register by name, without `$`: `rip`, `sp`, `xmm0`, `eflags`.
    fn register_named(&self, name: &str) -> Option<u16>;
    /// Returns the path of the file that is mapped at an address.
    fn file_at(&self, _: VirtualAddress) -> Option<Arc<str>> {
        None
    }

    /// Returns the name of the frame's function; `None` if there is no frame, or its function has no name.
    fn function(&self) -> Option<Arc<str>> {
        None
    }

    /// Returns the names of the frame's function and its callers, innermost first, at most so many frames.
    fn functions_on_stack(&self, _most: u32) -> Vec<Option<Arc<str>>> {
        self.function().map(Some).into_iter().collect()
    }

    /// Returns the symbol that covers an address, and the offset into it, for `<main+4>`.
    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)>;
    /// True if the address is in executable code or static data (gdb prints symbols only there).
    fn is_static(&self, address: VirtualAddress) -> bool {
        self.symbol_at(address).is_some()
    }

    /// Returns the language of the frame's code.
    fn unit_language(&self) -> UnitLanguage {
        UnitLanguage::C
    }

    /// Returns the module of the frame's function, starting with its crate.
    fn module(&self) -> Option<String> {
        None
    }

    /// Returns the implementing type of a trait object, by the address of its vtable.
    fn implementor(&self, _table: VirtualAddress) -> Option<TypeRef> {
        None
    }

    /// Returns the GCC release of the program's C++ library; its pretty printers' output depends on it.
    fn library_release(&self) -> u32 {
        12
    }
}
