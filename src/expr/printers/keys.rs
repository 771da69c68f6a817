//! The keys of maps and sets of the C++ standard library (libstdc++), as far as the library itself compares them: what
//! a comparison of the program does is not known here.

use super::characters::{charge, template, text_of};
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, converted, dereferenced};
use crate::long_double::Real;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::template_parts;
use debuginfo::types::{Encoding, Kind, TypeRef};
use model::ErrorCode;
use std::cmp::Ordering;

pub(super) enum Key {
    Text(Vec<u8>),
    Signed(i128),
    /// Pointers, too: they are compared as addresses.
    Unsigned(u128),
    Real(Real),
}

impl Key {
    fn of(operand: &Operand) -> Option<Self> {
        match operand {
            Operand::Integer { value, signed: true, .. } => Some(Self::Signed(*value)),
            Operand::Integer { value, .. } => Some(Self::Unsigned(*value as u128)),
            Operand::Float { value, .. } => Some(Self::Real(*value)),
            Operand::Pointer { address, .. } => Some(Self::Unsigned((*address).into())),
            Operand::Complex { .. } => None,
        }
    }

    /// Compares keys of one type; `None` for what is not a number.
    pub(super) fn compared(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            (Self::Signed(one), Self::Signed(other)) => Some(one.cmp(other)),
            (Self::Unsigned(one), Self::Unsigned(other)) => Some(one.cmp(other)),
            (Self::Real(one), Self::Real(other)) => one.quadruple().partial_cmp(&other.quadruple()),
            _ => None,
        }
    }
}

/// The type of a container's keys.
pub(super) struct KeyType {
    ty: TypeRef,
    is_text: bool,
    /// The comparison takes arguments of any type as they are.
    is_transparent: bool,
}

impl KeyType {
    /// Returns the type of the keys; `None` if they are not numbers, pointers or strings, or if the program has a
    /// comparison of its own.
    pub(super) fn of(members: &PrinterMembers<'_>, template: &str) -> Option<Self> {
        let context = members.context;
        let mut arguments = context.symbols().template_arguments(members.value.ty()).into_iter();
        let ty = arguments.next()?;
        let mut functions = arguments.skip(usize::from(template.ends_with("map")));
        let is_hashed = template.starts_with("unordered_");
        if is_hashed && !name_of(&functions.next()?, context)?.starts_with("std::hash<") {
            return None;
        }
        let comparison = functions.next()?;
        let wanted = if is_hashed { "std::equal_to<" } else { "std::less<" };
        let name = name_of(&comparison, context)?;
        if !name.starts_with(wanted) {
            return None;
        }
        let of_any = template_parts(&name)?.1 == ["void"];
        if !of_any && !compares(&comparison, &name, &ty, context) {
            return None;
        }
        let is_text = is_text(&ty, context);
        let is_simple = match &stripped(&ty, context).1.kind {
            Kind::Base(encoding) => !matches!(encoding, Encoding::Complex | Encoding::Other(_)),
            Kind::Enumeration { .. } | Kind::Pointer(_) => true,
            _ => false,
        };
        (is_text || is_simple).then_some(Self { ty, is_text, is_transparent: of_any && !is_hashed })
    }

    /// Converts an argument to the type of the keys; `None` if it cannot be converted. `is_generic`: the method takes
    /// an argument of any type, if the comparison does.
    pub(super) fn argument(
        &self,
        value: &Value,
        is_generic: bool,
        context: &EvalContext<'_>,
    ) -> Result<Option<Key>, EvalError> {
        let value = dereferenced(value, context)?;
        let (_, given) = stripped(value.ty(), context);
        if self.is_text {
            let is_class = matches!(given.kind, Kind::Aggregate { .. });
            if is_class && !is_text(value.ty(), context) {
                return Ok(None);
            }
            return Ok(text_of(&value, context)?.map(Key::Text));
        }
        let (_, wanted) = stripped(&self.ty, context);
        if is_generic && self.is_transparent && !is_same(value.ty(), &self.ty, context) {
            return Ok(None);
        }
        match (&wanted.kind, &given.kind) {
            (Kind::Pointer(target), Kind::Pointer(_) | Kind::Array { .. }) => match Operand::of(&value, context) {
                Ok(operand @ Operand::Pointer { .. }) => {
                    let Operand::Pointer { target: given, .. } = &operand else { return Ok(None) };
                    let fits = is_same(target, given, context) || stripped(target, context).1.kind == Kind::Void;
                    Ok(Key::of(&operand).filter(|_| fits))
                }
                Err(fault) if fault.code == ErrorCode::MEMORY => Err(fault),
                // A text that the program does not contain has no address.
                _ => Ok(None),
            },
            (Kind::Pointer(_), Kind::Base(Encoding::Float)) => Ok(None),
            (_, Kind::Base(Encoding::Complex | Encoding::Other(_))) => Ok(None),
            (_, Kind::Base(_) | Kind::Enumeration { .. }) => {
                let bytes = converted(&value, &self.ty, context)?;
                Operand::of(&Value::known(self.ty.clone(), bytes), context).map(|operand| Key::of(&operand))
            }
            _ => Ok(None),
        }
    }

    /// Reads the key of an element.
    pub(super) fn read(&self, value: &Value, context: &EvalContext<'_>) -> Result<Key, EvalError> {
        let key = if self.is_text {
            text_of(value, context)?.map(Key::Text)
        } else {
            charge(context, size_of(value.ty(), context).unwrap_or(8))?;
            Key::of(&Operand::of(value, context)?)
        };
        key.ok_or_else(|| error("The element has no key."))
    }
}

fn name_of(ty: &TypeRef, context: &EvalContext<'_>) -> Option<String> {
    stripped(ty, context).1.name.as_deref().map(str::to_owned)
}

/// True if both are one type, whatever its qualifiers and typedefs.
fn is_same(one: &TypeRef, other: &TypeRef, context: &EvalContext<'_>) -> bool {
    let (one, other) = (stripped(one, context), stripped(other, context));
    match (&one.1.kind, &other.1.kind) {
        (Kind::Pointer(one), Kind::Pointer(other)) => is_same(one, other, context),
        _ if one.1.name.is_some() => one.1.name == other.1.name,
        _ => context.type_name(&one.0) == context.type_name(&other.0),
    }
}

/// True if a comparison of the library is that of a type.
fn compares(comparison: &TypeRef, name: &str, ty: &TypeRef, context: &EvalContext<'_>) -> bool {
    if let Some(compared) = context.symbols().template_arguments(comparison).first() {
        return is_same(compared, ty, context);
    }
    // The debug information may have only the name.
    let plain = |text: &str| text.chars().filter(|character| *character != ' ').collect::<String>();
    let Some((_, arguments, _)) = template_parts(name) else { return false };
    let names = [Some(context.type_name(ty)), name_of(ty, context)];
    arguments.first().is_some_and(|compared| names.iter().flatten().any(|name| plain(name) == plain(compared)))
}

/// True for strings and string views of narrow characters that are compared as their bytes.
fn is_text(ty: &TypeRef, context: &EvalContext<'_>) -> bool {
    let Some(name) = name_of(ty, context) else { return false };
    let is_string = matches!(template(&name), Some("basic_string" | "basic_string_view"));
    let traits =
        template_parts(&name).and_then(|(_, arguments, _)| arguments.get(1).map(|traits| (*traits).to_owned()));
    is_string && matches!(traits.as_deref(), Some("std::char_traits<char>" | "std::char_traits<char8_t>"))
}
