//! Converts values of the program to AIF: little endian with padding becomes big endian without.

use super::image_bytes::Image;
use super::member_pointers::member_pointer;
use super::pointed_text::{bytes_behind, pointed_text, symbol};
use crate::EvalError;
use crate::budget::Budget;
use crate::context::EvalContext;
use crate::eval::operand::{complex_layout, extended};
use crate::eval::register::is_of_flags;
use crate::eval::strided::packed;
use crate::lang::cpp::base_classes::member_value;
use crate::lang::cpp::local_names::is_declared;
use crate::types::{MAX_DEPTH, element_of, size_of, stripped};
use crate::value::{LONGEST, SYNTHETIC, Value};
use crate::value_contents::optimized_out;
use debuginfo::types::{Dimension, Encoding, Kind, Member, Place, Type, TypeRef};
use model::aif::{AifError, AifType, AifValue, CharStyle, Field, FloatLayout, PointerValue};
use model::{Datum, ErrorCode, PrintSwitch, VirtualAddress};
use std::cell::{Cell, RefCell};

/// gdb's words for an array without an upper bound; its elements can be read one by one.
const UNBOUNDED: &str = "error reading variable: failed to get range bounds";

impl From<AifError> for EvalError {
    fn from(error: AifError) -> Self {
        Self::new(ErrorCode::DEBUGGER, error.to_string())
    }
}

/// Bytes charged to the budget for one enumerator: a name and a number.
const ENUMERATOR: u64 = 32;

impl Value {
    /// Converts the value to AIF for a reply, as gdb's `print` reads it.
    pub fn to_datum(&self, context: &EvalContext<'_>) -> Result<Datum, EvalError> {
        to_datum(self, context, false)
    }

    /// Returns the value with the class that the object has when the program runs, as gdb's `print object` shows it; only
    /// a print of a pointer shows the whole object's address.
    pub fn as_dynamic(&self, prints: bool, context: &EvalContext<'_>) -> Option<Self> {
        let is_pointer = || matches!(stripped(self.ty(), context).1.kind, Kind::Pointer(_));
        let is_wanted = context.limits().has(PrintSwitch::Object) && (prints || !is_pointer());
        is_wanted.then(|| context.language().dynamic(self, context)).flatten()
    }

    /// Converts the value to AIF, with library containers as raw structures.
    pub fn to_raw_datum(&self, context: &EvalContext<'_>) -> Result<Datum, EvalError> {
        to_datum(self, context, true)
    }
}

/// Converts a value and its type to AIF. Strings are fetched up to 200 characters; arrays of more than 200 elements are
/// sent in runs of equal elements, up to 64 KiB and gdb's limits. `raw`: library containers as raw structures.
fn to_datum(value: &Value, context: &EvalContext<'_>, raw: bool) -> Result<Datum, EvalError> {
    let (shared, virtual_bases) = (RefCell::default(), RefCell::default());
    let own = Budget::default();
    let budget = context.budget().unwrap_or(&own);
    let raw = raw || context.limits().has(PrintSwitch::RawValues);
    let builder = Builder { context, raw, shared, virtual_bases, unreadable: Cell::new(0), budget };
    let (ty, content) = builder.outermost(value)?;
    let ty = match context.language().written() {
        Some(language) => AifType::Spoken { language, ty: Box::new(ty) },
        None => ty,
    };
    Ok(Datum { descriptor: ty.to_string(), data: content.write(&ty)?, type_name: context.type_name(value.ty()) })
}

pub(crate) struct Builder<'a> {
    pub(crate) context: &'a EvalContext<'a>,
    /// True if library containers are shown as raw structures.
    pub(crate) raw: bool,
    /// Addresses of the static members converted so far within the outermost one.
    pub(crate) shared: RefCell<Vec<u64>>,
    /// Virtual base classes already shown: an object has each only once.
    pub(crate) virtual_bases: RefCell<Vec<TypeRef>>,
    /// How many parts could not be read so far.
    pub(crate) unreadable: Cell<u32>,
    /// Limits what is left to read.
    pub(crate) budget: &'a Budget,
}

pub(crate) type Built = Result<(AifType, AifValue), EvalError>;

/// The outcome of looking for a printer.
pub(crate) enum PrintedAs {
    /// Converted by a printer.
    Built(Built),
    /// There is none: the value is shown by its members.
    Members,
    /// One failed; the note says why.
    MembersWithNote(String),
}

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

pub(crate) fn incomplete() -> (AifType, AifValue) {
    (AifType::Unknown("incomplete".to_owned()), AifValue::Opaque(Vec::new()))
}

/// A value that cannot be shown, with the reason.
pub(super) fn unavailable(why: &str) -> (AifType, AifValue) {
    (AifType::Optional(Box::new(AifType::Void { size: 0 })), AifValue::Unavailable(why.to_owned()))
}

impl Builder<'_> {
    fn outermost(&self, value: &Value) -> Built {
        let s = self.context;
        if let Some(packed) = packed(value, s)? {
            return self.outermost(&packed);
        }
        let (reference, ty) = stripped(value.ty(), s);
        if let Some((_, width)) = value.bit_field() {
            let bits = value.read_bits(0, s)?;
            return self.bit_field(&reference, &ty, bits, width);
        }
        match &ty.kind {
            Kind::Function { .. } => {
                let address = value.address().ok_or_else(optimized_out)?;
                return Ok(self.function(&ty, address.0));
            }
            Kind::Void => return Ok((AifType::Void { size: 0 }, AifValue::Scalar(0))),
            Kind::Reference(target, _) => {
                let address = value.read_bits(8, s)? as u64;
                let referred = Value::new(target.clone(), Place::Memory(VirtualAddress(address)));
                let (target, content) = self.outermost(&referred)?;
                let pointer = PointerValue::Target { address, target: Box::new(content) };
                return Ok((AifType::Reference { size: 8, target: Box::new(target) }, AifValue::Pointer(pointer)));
            }
            _ => {}
        }
        if let Place::Synthetic(..) = value.place() {
            let ty = AifType::Optional(Box::new(self.shallow(&reference, 0)));
            return Ok((ty, AifValue::Unavailable(SYNTHETIC.to_owned())));
        }
        let is_assumed = |dimensions: &[Dimension]| dimensions.iter().any(|dimension| dimension.assumed);
        if matches!(&ty.kind, Kind::Array { dimensions, .. } if is_assumed(dimensions)) {
            return Ok(unavailable(UNBOUNDED));
        }
        let Some(size) = size_of(&reference, s) else { return Ok(incomplete()) };
        let length = match ty.kind {
            Kind::Array { .. } => size.min(LONGEST),
            _ if size > LONGEST => {
                let too_long = || error(format!("value requires {size} bytes, which is more than max-value-size"));
                return self.by_members(value, 0).unwrap_or_else(|| Err(too_long()));
            }
            _ => size,
        };
        let (bytes, mut known) = value.read_known(length, s)?;
        if known.iter().all(|known| *known) {
            known.clear();
        } else if known.iter().all(|known| !known) {
            return Ok(unavailable("optimized out"));
        }
        let image = Image { bytes, known, address: value.address().map(|address| address.0) };
        self.built(value.ty(), &image, 0, 0)
    }

    /// Converts a part of another value, wherever the part is stored.
    pub(crate) fn part(&self, value: &Value, depth: u32) -> Built {
        if let Some(built) = self.by_members(value, depth) {
            return built;
        }
        let size = size_of(value.ty(), self.context).unwrap_or(0).min(LONGEST);
        if let Err(why) = self.budget.read(size) {
            return Ok(unavailable(&why));
        }
        let (bytes, known) = value.read_known(size, self.context)?;
        let known = if known.iter().all(|known| *known) { Vec::new() } else { known };
        let image = Image { bytes, known, address: value.address().map(|address| address.0) };
        self.built(value.ty(), &image, 0, depth)
    }

    /// Converts the value at an offset of the image.
    pub(crate) fn built(&self, ty: &TypeRef, image: &Image, offset: u64, depth: u32) -> Built {
        let s = self.context;
        if let Err(why) = self.budget.part() {
            return Ok(unavailable(&why));
        }
        let (reference, found) = stripped(ty, s);
        let size = size_of(&reference, s).unwrap_or(0);
        if depth > MAX_DEPTH {
            return Ok(incomplete());
        }
        let is_whole = !matches!(found.kind, Kind::Aggregate { .. } | Kind::Array { .. } | Kind::Variants(_));
        if !image.known.is_empty() && is_whole {
            // Each number of a value with holes is marked as known or not, so that equal types stay equal.
            if image.is_known(offset, size) {
                let (ty, value) = self.whole(ty, &reference, &found, image, offset)?;
                return Ok((AifType::Optional(Box::new(ty)), AifValue::Available(Box::new(value))));
            }
            let ty = self.shallow(ty, 0);
            return Ok((AifType::Optional(Box::new(ty)), AifValue::Unavailable("optimized out".to_owned())));
        }
        match self.printed(ty, &found, image, offset, depth) {
            PrintedAs::Built(built) => built,
            PrintedAs::Members => self.plain(ty, &reference, &found, image, offset, depth),
            PrintedAs::MembersWithNote(note) => {
                let (ty, value) = self.plain(ty, &reference, &found, image, offset, depth)?;
                Ok((AifType::Titled(Box::new(ty)), AifValue::Titled(note, Box::new(value))))
            }
        }
    }

    /// Converts a value as it is, without a printer.
    fn plain(&self, ty: &TypeRef, reference: &TypeRef, found: &Type, image: &Image, offset: u64, depth: u32) -> Built {
        match &found.kind {
            Kind::Aggregate { declaration: true, .. } => Ok(incomplete()),
            Kind::Aggregate { tag, members, .. } => {
                let mut fields = Vec::new();
                let mut values = Vec::new();
                for member in members {
                    if let Err(why) = self.budget.read(0) {
                        // One entry stands for all remaining members: there may be millions.
                        let (ty, value) = unavailable(&why);
                        fields.push(Field { name: self.member_name(member), ty });
                        values.push(value);
                        break;
                    }
                    if member.virtual_at.is_some() && !self.is_first_of(member) {
                        continue;
                    }
                    if member.is_static {
                        let (ty, value) = self.shared(found, member, depth);
                        fields.push(Field { name: format!("static {}", self.member_name(member)), ty });
                        values.push(value);
                        continue;
                    }
                    let (ty, value) = self.member(member, image, offset, depth)?;
                    fields.push(Field { name: self.member_name(member), ty });
                    values.push(value);
                }
                let name = found.name.as_deref().unwrap_or_default().to_owned();
                let ty = match tag {
                    debuginfo::types::Aggregate::Union => AifType::Union { name, members: fields },
                    _ => AifType::aggregate(name, fields),
                };
                Ok((ty, AifValue::Members(values)))
            }
            Kind::Variants(variants) => self.variants(found, variants, image, offset, depth),
            Kind::Array { .. } => self.array(found, image, offset, depth),
            _ => self.whole(ty, reference, found, image, offset),
        }
    }

    pub(super) fn member_name(&self, member: &Member) -> String {
        if member.base {
            // A base class may have been named by a typedef.
            let base = self.context.type_name(&stripped(&member.ty, self.context).0);
            let base = base.strip_prefix("struct ").or_else(|| base.strip_prefix("class ")).unwrap_or(&base);
            return format!("<{base}>");
        }
        member.name.as_deref().unwrap_or_default().to_owned()
    }

    fn member(&self, member: &Member, image: &Image, offset: u64, depth: u32) -> Built {
        if member.virtual_at.is_some() {
            return self.virtual_base(member, image, offset, depth);
        }
        let Some((first, width)) = member.bits else {
            let at = offset.saturating_add(member.offset);
            let own = || self.built(&member.ty, image, at, depth + 1);
            let build = || self.described(member, image, offset, depth).unwrap_or_else(own);
            // gdb shows a base class without a description as empty.
            if member.base && is_declared(&stripped(&member.ty, self.context).1.kind) {
                return Ok((AifType::aggregate("", Vec::new()), AifValue::Members(Vec::new())));
            }
            return if member.base { build() } else { self.object(build) };
        };
        let start = offset.saturating_add(first / 8);
        let shift = first % 8;
        let length = (shift + u64::from(width.min(128))).div_ceil(8).min(16);
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let (reference, found) = stripped(&member.ty, self.context);
        let (ty, value) = self.bit_field(&reference, &found, image.bits(start, length) >> shift & mask, width)?;
        match (image.known.is_empty(), image.is_known(start, length)) {
            (true, _) => Ok((ty, value)),
            (_, true) => Ok((AifType::Optional(Box::new(ty)), AifValue::Available(Box::new(value)))),
            _ => Ok((AifType::Optional(Box::new(ty)), AifValue::Unavailable("optimized out".to_owned()))),
        }
    }

    /// Converts a virtual base class, whose offset is stored in the constructed object.
    fn virtual_base(&self, member: &Member, image: &Image, offset: u64, depth: u32) -> Built {
        let Some(address) = image.address else {
            let ty = AifType::Optional(Box::new(self.shallow(&member.ty, 0)));
            return Ok((ty, AifValue::Unavailable("virtual base class of a value that is not in memory".to_owned())));
        };
        let whole = Value::new(TypeRef::Void, Place::Memory(VirtualAddress(address.wrapping_add(offset))));
        let base = member_value(&whole, member, self.context).and_then(|base| self.part(&base, depth + 1));
        base.or_else(|_| Ok(unavailable("invalid address")))
    }

    pub(super) fn bit_field(&self, reference: &TypeRef, ty: &Type, bits: u128, width: u32) -> Built {
        let size = ty.size.unwrap_or(8);
        let base = self.shallow(reference, 0);
        let bits = extended(bits, width, base.is_signed()) as u128;
        let mask = if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
        Ok((AifType::BitField { bits: width, base: Box::new(base) }, AifValue::Scalar(bits & mask)))
    }

    /// Builds a separate object, which has its own virtual base classes.
    pub(crate) fn object<T>(&self, build: impl FnOnce() -> T) -> T {
        let around = self.virtual_bases.take();
        let built = build();
        self.virtual_bases.replace(around);
        built
    }

    /// Converts a scalar: a number, a pointer, or anything else without parts.
    fn whole(&self, declared: &TypeRef, reference: &TypeRef, found: &Type, image: &Image, offset: u64) -> Built {
        let s = self.context;
        let size = size_of(reference, s).unwrap_or(0);
        let ty = self.shallow(declared, 0);
        let value = match (&found.kind, &ty) {
            (Kind::Base(Encoding::Complex), AifType::Complex(_)) => {
                let (layout, part) = complex_layout(found).unwrap_or((FloatLayout::x87(), size / 2));
                let length = u64::from(layout.size);
                AifValue::Complex(image.bits(offset, length), image.bits(offset + part, length))
            }
            (Kind::Function { .. }, _) => {
                return Ok(self.function(found, image.address.unwrap_or(0).wrapping_add(offset)));
            }
            (Kind::MemberPointer { .. }, _) => return Ok(member_pointer(reference, image.bits(offset, size), s)),
            (Kind::Pointer(_) | Kind::Reference(..), _) => {
                let address = image.bits(offset, 8) as u64;
                return Ok(self.pointer(ty, found, address));
            }
            (_, AifType::Unknown(_)) => AifValue::Opaque(Vec::new()),
            (_, AifType::Void { .. }) => AifValue::Scalar(0),
            (_, ty) => AifValue::Scalar(image.bits(offset, u64::from(ty.scalar_size().unwrap_or(0)))),
        };
        Ok((ty, value))
    }

    pub(crate) fn pointer(&self, ty: AifType, found: &Type, address: u64) -> (AifType, AifValue) {
        let s = self.context;
        if let (AifType::TextPointer { .. }, Kind::Pointer(target)) = (&ty, &found.kind)
            && let Some(length) = self.byte_text(target)
        {
            return (ty, AifValue::Text(bytes_behind(address, length, s)));
        }
        let unit = match &ty {
            AifType::CharPointer { .. } => Some(1),
            AifType::TextPointer { unit, .. } => Some(u64::from(unit.scalar_size().unwrap_or(1))),
            _ => None,
        };
        if let Some(unit) = unit {
            return (ty, AifValue::Text(pointed_text(address, unit, s)));
        }
        if address == 0 && !matches!(found.kind, Kind::Reference(..)) {
            return (ty, AifValue::Pointer(PointerValue::Null));
        }
        let to_code = match &found.kind {
            Kind::Pointer(target) => matches!(stripped(target, s).1.kind, Kind::Function { .. }),
            _ => false,
        };
        let named = to_code || s.symbols().is_static(VirtualAddress(address));
        let symbol = if named { symbol(address, s) } else { None };
        (ty, AifValue::Pointer(PointerValue::AddressOnly { address, symbol }))
    }

    fn function(&self, found: &Type, address: u64) -> (AifType, AifValue) {
        let name = symbol(address, self.context).unwrap_or_default();
        let ty = AifType::Located { size: 8, ty: Box::new(self.function_type(found, 0)) };
        (ty, AifValue::Located(address, Box::new(AifValue::Function(name.into_bytes()))))
    }

    fn function_type(&self, found: &Type, depth: u32) -> AifType {
        let Kind::Function { returns, parameters, .. } = &found.kind else {
            return AifType::Unknown(String::new());
        };
        AifType::Function {
            parameters: parameters.iter().map(|ty| self.shallow(ty, depth + 1)).collect(),
            returns: Box::new(self.shallow(returns, depth + 1)),
        }
    }

    /// Returns the AIF type as far as it is known without a value: aggregates without members, pointers three deep.
    pub(crate) fn shallow(&self, declared: &TypeRef, depth: u32) -> AifType {
        let s = self.context;
        let found = stripped(declared, s).1;
        let size = found.size.unwrap_or(0) as u32;
        let name = || found.name.as_deref().unwrap_or_default().to_owned();
        match &found.kind {
            Kind::Void => AifType::Void { size: 0 },
            Kind::Base(encoding) => self.base(declared, *encoding, &found, size),
            Kind::Enumeration { enumerators, .. } if is_of_flags(&found) => {
                let named = enumerators.iter().filter(|(name, _)| !name.is_empty());
                AifType::Flags {
                    names: named.map(|(name, value)| (name.to_string(), value.trailing_zeros())).collect(),
                    size: size.clamp(1, 16),
                }
            }
            Kind::Enumeration { enumerators, signed, scoped } => {
                self.budget.also(ENUMERATOR * enumerators.len() as u64);
                // Enumerators are qualified with the enumeration's scope, or with the enumeration itself.
                let full = name();
                let prefix = match full.rsplit_once("::") {
                    _ if *scoped || s.language().scopes_enumerators() => format!("{full}::"),
                    Some((scope, _)) => format!("{scope}::"),
                    None => String::new(),
                };
                AifType::Enumeration {
                    name: name(),
                    enumerators: enumerators.iter().map(|(name, value)| (format!("{prefix}{name}"), *value)).collect(),
                    base: Box::new(AifType::Integer { signed: *signed, size: size.clamp(1, 16) }),
                }
            }
            Kind::Pointer(target) if self.byte_text(target).is_some() => AifType::TextPointer {
                unit: Box::new(AifType::Character { style: CharStyle::Unsigned, size: 1 }),
                size: 8,
            },
            Kind::Pointer(target) => match self.text_pointer(target).filter(|_| s.language().has_c_strings()) {
                Some(pointer) => pointer,
                None if depth >= 3 => AifType::Pointer { size: 8, target: Box::new(AifType::Void { size: 0 }) },
                None => AifType::Pointer { size: 8, target: Box::new(self.shallow(target, depth + 1)) },
            },
            Kind::Reference(target, _) if depth < 3 => {
                AifType::Reference { size: 8, target: Box::new(self.shallow(target, depth + 1)) }
            }
            Kind::Reference(..) => AifType::Reference { size: 8, target: Box::new(AifType::Void { size: 0 }) },
            Kind::Aggregate { tag: debuginfo::types::Aggregate::Union, .. } => {
                AifType::Union { name: name(), members: Vec::new() }
            }
            Kind::Aggregate { .. } => AifType::aggregate(name(), Vec::new()),
            Kind::Variants(_) | Kind::MemberPointer { .. } => AifType::Own,
            Kind::Array { .. } => match element_of(&found, s) {
                Some((element, lower, count)) if depth < 8 => {
                    AifType::array(lower, count.unwrap_or(0), self.shallow(&element, depth + 1))
                }
                _ => AifType::Unknown("array".to_owned()),
            },
            Kind::Function { .. } if depth < 3 => self.function_type(&found, depth),
            Kind::Function { .. } => AifType::Unknown("function".to_owned()),
            Kind::Unknown(why) => AifType::Unknown(why.replace('?', "")),
            Kind::Typedef(_) | Kind::Qualified(..) => AifType::Unknown("typedef".to_owned()),
        }
    }
}
