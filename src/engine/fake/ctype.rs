//! Types of simulated programs, their layout in memory (System V ABI, x86-64) and their spelling.

use model::{DID_YOU_MEAN, nearest_of_few};
use std::sync::Arc;

/// A type of the simulated language, a subset of C.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CType {
    Void,
    /// Size in bytes, signedness, and spelling as in DWARF.
    Integer(u8, bool, &'static str),
    /// The size in bytes: 4 or 8.
    Float(u8),
    Pointer(Arc<CType>),
    Array(Arc<CType>, u32),
    Structure(Arc<Structure>),
    /// A structure by its tag, as in a member that points to its own type.
    Tag(Arc<str>),
    Enumeration(Arc<Enumeration>),
    Named(Arc<str>, Arc<CType>),
}

#[derive(Debug, PartialEq)]
pub(super) struct Structure {
    pub(super) tag: Arc<str>,
    pub(super) union: bool,
    pub(super) fields: Vec<Field>,
    pub(super) size: u32,
    pub(super) align: u32,
}

impl Structure {
    /// Says that there is no such member, and which one is most likely meant.
    pub(super) fn no_member(&self, name: &str) -> String {
        let near = nearest_of_few(name, self.fields.iter().map(|field| &*field.name));
        let advice = near.map_or(String::new(), |near| format!(" {DID_YOU_MEAN}{near:?}?"));
        format!("There is no member named {name}.{advice}")
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: Arc<str>,
    pub(super) ty: CType,
    pub(super) offset: u32,
}

#[derive(Debug, PartialEq)]
pub(super) struct Enumeration {
    pub(super) tag: Arc<str>,
    pub(super) values: Vec<(Arc<str>, i64)>,
}

pub(super) const INT: CType = CType::Integer(4, true, "int");
pub(super) const UNSIGNED: CType = CType::Integer(4, false, "unsigned int");
pub(super) const LONG: CType = CType::Integer(8, true, "long");
pub(super) const UNSIGNED_LONG: CType = CType::Integer(8, false, "unsigned long");
pub(super) const CHAR: CType = CType::Integer(1, true, "char");
pub(super) const DOUBLE: CType = CType::Float(8);

/// A scalar's representation in memory and in arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Signed(u8),
    Unsigned(u8),
    Float(u8),
}

impl CType {
    /// Resolves `typedef` names.
    pub(super) fn plain(&self) -> &Self {
        match self {
            Self::Named(_, of) => of.plain(),
            other => other,
        }
    }

    pub(super) fn pointer(self) -> Self {
        Self::Pointer(Arc::new(self))
    }

    pub(super) fn size(&self) -> u32 {
        match self {
            Self::Void | Self::Tag(_) => 1,
            Self::Integer(size, ..) | Self::Float(size) => u32::from(*size),
            Self::Pointer(_) => 8,
            Self::Array(of, count) => of.size().saturating_mul(*count),
            Self::Structure(structure) => structure.size,
            Self::Enumeration(_) => 4,
            Self::Named(_, of) => of.size(),
        }
    }

    pub(super) fn align(&self) -> u32 {
        match self {
            Self::Array(of, _) | Self::Named(_, of) => of.align(),
            Self::Structure(structure) => structure.align,
            other => other.size().max(1),
        }
    }

    /// Returns the scalar type; `None` for arrays, structures and `void`.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self.plain() {
            Self::Integer(size, true, _) => Some(Scalar::Signed(*size)),
            Self::Integer(size, false, _) => Some(Scalar::Unsigned(*size)),
            Self::Float(size) => Some(Scalar::Float(*size)),
            Self::Pointer(_) => Some(Scalar::Unsigned(8)),
            Self::Enumeration(_) => Some(Scalar::Unsigned(4)),
            _ => None,
        }
    }

    /// Returns the target of a pointer or the element of an array.
    pub(super) fn element(&self) -> Option<&Self> {
        match self.plain() {
            Self::Pointer(of) | Self::Array(of, _) => Some(of),
            _ => None,
        }
    }

    /// Spells the type as gdb does.
    pub(super) fn spelling(&self) -> String {
        match self {
            Self::Array(..) => {
                let (mut base, mut dimensions) = (self, String::new());
                while let Self::Array(of, count) = base {
                    dimensions.push_str(&format!("[{count}]"));
                    base = of;
                }
                format!("{} {dimensions}", base.spelling())
            }
            Self::Pointer(to) => {
                let target = to.spelling();
                if target.ends_with('*') { format!("{target}*") } else { format!("{target} *") }
            }
            Self::Void => "void".to_owned(),
            Self::Integer(_, _, name) => (*name).to_owned(),
            Self::Float(4) => "float".to_owned(),
            Self::Float(_) => "double".to_owned(),
            Self::Structure(s) => format!("{} {}", s.keyword(), s.tag),
            Self::Tag(tag) => format!("struct {tag}"),
            Self::Enumeration(e) => format!("enum {}", e.tag),
            Self::Named(name, _) => name.to_string(),
        }
    }

    /// Spells the type with its members, as gdb's `ptype` does.
    pub(super) fn expanded(&self) -> String {
        match self.plain() {
            Self::Structure(s) => {
                let members = s.fields.iter().map(|f| format!("    {};\n", declaration(&f.ty, &f.name)));
                format!("{} {} {{\n{}}}", s.keyword(), s.tag, members.collect::<String>())
            }
            Self::Enumeration(e) => {
                let names: Vec<_> = e.values.iter().map(|(name, _)| name.to_string()).collect();
                format!("enum {} {{{}}}", e.tag, names.join(", "))
            }
            Self::Pointer(to) if to.scalar().is_none() && **to != Self::Void => format!("{} *", to.expanded()),
            other => other.spelling(),
        }
    }
}

impl Structure {
    pub(super) fn keyword(&self) -> &'static str {
        if self.union { "union" } else { "struct" }
    }

    /// Computes the layout of the members.
    pub(super) fn lay_out(tag: Arc<str>, union: bool, members: Vec<(Arc<str>, CType)>) -> Self {
        let (mut end, mut align) = (0u32, 1);
        let mut fields = Vec::with_capacity(members.len());
        for (name, ty) in members {
            let offset = if union { 0 } else { end.next_multiple_of(ty.align()) };
            end = end.max(offset.saturating_add(ty.size()));
            align = align.max(ty.align());
            fields.push(Field { name, ty, offset });
        }
        Self { tag, union, fields, size: end.next_multiple_of(align), align }
    }
}

/// Writes a member's declaration: `double x[3]`, `char *name`.
fn declaration(ty: &CType, name: &str) -> String {
    let spelling = ty.spelling();
    match spelling.split_once(" [") {
        Some((base, dimensions)) => format!("{base} {name}[{dimensions}"),
        None if spelling.ends_with('*') => format!("{spelling}{name}"),
        None => format!("{spelling} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_follows_the_abi() {
        let members = vec![("c".into(), CHAR), ("d".into(), DOUBLE), ("i".into(), INT)];
        let s = Structure::lay_out("s".into(), false, members);
        assert_eq!(s.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 8, 16]);
        assert_eq!((s.size, s.align), (24, 8));
    }

    #[test]
    fn spelling_is_that_of_gdb() {
        let array = CType::Array(Arc::new(CType::Array(Arc::new(INT), 3)), 2);
        assert_eq!(array.spelling(), "int [2][3]");
        assert_eq!(CHAR.pointer().pointer().spelling(), "char **");
        assert_eq!(declaration(&array, "m"), "int m[2][3]");
        assert_eq!(declaration(&CHAR.pointer(), "name"), "char *name");
    }
}
