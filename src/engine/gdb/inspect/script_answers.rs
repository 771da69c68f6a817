//! Types and values in the output of the script inside gdb.

use debuginfo::types::{Aggregate, Dimension, Encoding, Kind, Member, NamedValue, Place, Type, TypeRef};
use expr::FLAGS_TYPE;
use model::VirtualAddress;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;

/// A part of a printed value, in the script's output.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "as", rename_all = "snake_case")]
pub(in crate::gdb) enum ShownTold {
    /// A value without a pretty-printer.
    Leaf {
        leaf: Box<ValueTold>,
    },
    String {
        /// In hexadecimal digits.
        bytes: String,
    },
    /// A title, and the value that it introduces.
    Titled {
        title: String,
        of: Option<Box<ShownTold>>,
    },
    /// A reference to an object that pretty-printers show.
    Reference {
        address: u64,
        of: Box<ShownTold>,
    },
    Members {
        name: String,
        members: Vec<(String, ShownTold)>,
    },
    /// Elements, with or without keys.
    Held {
        style: StyleTold,
        held: Vec<(Option<ShownTold>, ShownTold)>,
        more: bool,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::gdb) enum StyleTold {
    Plain,
    Numbered,
    Keyed,
}

/// A type, as the script describes it.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::gdb) struct TypeTold {
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    of: Option<Box<TypeTold>>,
    #[serde(default)]
    low: i64,
    #[serde(default)]
    count: Option<u64>,
    #[serde(default)]
    signed: bool,
    #[serde(default)]
    declaration: bool,
    #[serde(default)]
    members: Vec<MemberTold>,
    #[serde(default)]
    values: Vec<(Option<String>, i64)>,
    #[serde(default)]
    parameters: Vec<TypeTold>,
}

#[derive(Clone, Debug, Deserialize)]
pub(in crate::gdb) struct MemberTold {
    name: Option<String>,
    #[serde(rename = "type")]
    ty: TypeTold,
    /// The offset in bits from the start of the aggregate; `None` if it varies between values.
    bit: Option<u64>,
    /// The width in bits; 0 if it is not a bit-field.
    bits: u32,
    base: bool,
    /// True for a static member.
    #[serde(default, rename = "static")]
    is_static: bool,
    /// The address of a static member in memory.
    #[serde(default)]
    address: Option<u64>,
    /// The content of a static member without an address.
    #[serde(default)]
    bytes: Option<String>,
}

/// A value: exactly one of error, address, bytes and text is set; with a text, `shown` has the pretty-printers' output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::gdb) struct ValueTold {
    pub(in crate::gdb) error: Option<String>,
    pub(in crate::gdb) type_name: String,
    /// The language in which gdb prints it.
    pub(in crate::gdb) language: String,
    #[serde(rename = "type")]
    pub(in crate::gdb) ty: Option<TypeTold>,
    address: Option<u64>,
    bytes: Option<String>,
    known: Option<String>,
    pub(in crate::gdb) text: Option<String>,
    /// The text as an element of a list, without its type.
    pub(in crate::gdb) plain_text: Option<String>,
    /// For a value with data: the text to use if the formatted data differs from `plain_text`.
    pub(in crate::gdb) otherwise: Option<String>,
    pub(in crate::gdb) shown: Option<ShownTold>,
    pub(in crate::gdb) optimized_out: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(in crate::gdb) struct NamedTold {
    pub(in crate::gdb) name: String,
    pub(in crate::gdb) value: ValueTold,
}

impl TypeTold {
    pub(in crate::gdb) fn reference(&self) -> TypeRef {
        if self.kind == "void" { TypeRef::Void } else { TypeRef::Made(Arc::new(self.ty())) }
    }

    /// Collects the static members of a type, by their full names.
    pub(in crate::gdb) fn shared(&self, found: &mut HashMap<String, NamedValue>) {
        for member in &self.members {
            let name = self.name.as_deref().zip(member.name.as_deref()).map(|(of, name)| format!("{of}::{name}"));
            if let (true, Some(name), Some(place)) = (member.is_static, name, member.place()) {
                let named = NamedValue { name: name.as_str().into(), ty: member.ty.reference(), place: Ok(place) };
                // The outer types are complete.
                found.entry(name).or_insert(named);
            }
            member.ty.shared(found);
        }
        if let Some(of) = &self.of {
            of.shared(found);
        }
    }

    fn target(&self) -> TypeRef {
        self.of.as_ref().map_or(TypeRef::Void, |of| of.reference())
    }

    fn ty(&self) -> Type {
        let kind = match self.kind.as_str() {
            "typedef" => Kind::Typedef(self.target()),
            "pointer" => Kind::Pointer(self.target()),
            "reference" => Kind::Reference(self.target(), false),
            "rvalue_reference" => Kind::Reference(self.target(), true),
            "array" => Kind::Array {
                element: self.target(),
                dimensions: vec![Dimension { lower: self.low, count: self.count, assumed: false, stride: None }],
            },
            "struct" | "union" => Kind::Aggregate {
                tag: if self.kind == "union" { Aggregate::Union } else { Aggregate::Struct },
                members: self.members.iter().map(MemberTold::member).collect(),
                declaration: self.declaration,
            },
            "enum" => self.enumeration(),
            "flags" => Kind::Enumeration {
                enumerators: self.named_values(|bit| 1_i64.checked_shl(bit as u32).unwrap_or(0)),
                signed: false,
                scoped: false,
            },
            "function" => Kind::Function {
                returns: self.target(),
                parameters: self.parameters.iter().map(Self::reference).collect(),
                variadic: false,
                prototyped: true,
            },
            "void" => Kind::Void,
            "boolean" => Kind::Base(Encoding::Boolean),
            "float" => Kind::Base(Encoding::Float),
            "complex" => Kind::Base(Encoding::Complex),
            "character" => Kind::Base(match (self.size, self.signed) {
                (Some(1), true) => Encoding::SignedChar,
                (Some(1), false) => Encoding::UnsignedChar,
                _ => Encoding::Utf,
            }),
            "integer" => Kind::Base(if self.signed { Encoding::Signed } else { Encoding::Unsigned }),
            _ => Kind::Unknown(self.name.clone().unwrap_or_default()),
        };
        // All flag registers are shown in the same way, selected by this name.
        let name = if self.kind == "flags" { Some(FLAGS_TYPE) } else { self.name.as_deref() };
        Type { name: name.map(Arc::from), size: self.size, kind }
    }

    fn named_values(&self, value: impl Fn(i64) -> i64) -> Vec<(Arc<str>, i64)> {
        let named = self.values.iter().filter_map(|(name, number)| Some((name.as_ref()?, *number)));
        // gdb qualifies enumerators with their scope, which is added again for a named type.
        let plain = |name: &'_ str| match self.name {
            Some(_) => name.rsplit("::").next().unwrap_or(name).into(),
            None => name.into(),
        };
        named.map(|(name, number)| (plain(name), value(number))).collect()
    }

    fn enumeration(&self) -> Kind {
        let enumerators = self.named_values(|number| number);
        let signed = enumerators.iter().any(|(_, number)| *number < 0);
        let own = self.name.as_deref().map(|name| format!("{name}::"));
        let scoped = own.is_some_and(|own| {
            self.values.first().and_then(|(name, _)| name.as_deref()).is_some_and(|name| name.starts_with(&own))
        });
        Kind::Enumeration { enumerators, signed, scoped }
    }
}

impl MemberTold {
    /// Returns the place of a static member.
    fn place(&self) -> Option<Place> {
        let bytes = || self.bytes.as_deref().and_then(model::aif::from_hex).map(Place::Bytes);
        self.address.map(|address| Place::Memory(VirtualAddress(address))).or_else(bytes)
    }

    fn member(&self) -> Member {
        let bit = self.bit.unwrap_or(0);
        Member {
            name: self.name.as_deref().filter(|name| !name.is_empty()).map(Arc::from),
            ty: self.ty.reference(),
            offset: bit / 8,
            bits: (self.bits > 0).then_some((bit, self.bits)),
            base: self.base,
            is_static: self.is_static,
            virtual_at: None,
        }
    }
}

impl ValueTold {
    pub(in crate::gdb) fn place(&self) -> Option<Place> {
        if let Some(address) = self.address {
            return Some(Place::Memory(VirtualAddress(address)));
        }
        let bytes = model::aif::from_hex(self.bytes.as_deref()?)?;
        let Some(known) = &self.known else { return Some(Place::Bytes(bytes)) };
        let known = model::aif::from_hex(known)?;
        let pieces = bytes.iter().zip(known).map(|(byte, known)| ((known != 0).then(|| Place::Bytes(vec![*byte])), 1));
        Some(Place::Pieces(pieces.collect()))
    }
}
