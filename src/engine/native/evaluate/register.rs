//! Registers as values of an expression.

use super::EvalError;
use super::builtin::{Builtin, array_of, pointer_to};
use super::value::Value;
use crate::engine::native::types::{Aggregate, Encoding, Kind, Member, Place, Surroundings, Type, TypeRef};
use crate::model::ErrorCode;
use std::sync::{Arc, LazyLock};

/// Parts of general registers: `eax`, `ax`, `al` of `rax`, with their sizes.
fn part_of(name: &str) -> Option<(String, Builtin)> {
    let letters = |text: &str| matches!(text, "ax" | "bx" | "cx" | "dx" | "si" | "di" | "bp" | "sp");
    if let Some(rest) = name.strip_prefix('e')
        && letters(rest)
    {
        return Some((format!("r{rest}"), Builtin::Int));
    }
    if letters(name) && name != "sp" {
        return Some((format!("r{name}"), Builtin::Short));
    }
    if let Some(first) = name.strip_suffix('l')
        && matches!(first, "a" | "b" | "c" | "d")
    {
        return Some((format!("r{first}x"), Builtin::SignedChar));
    }
    if let Some(first) = name.strip_suffix('l')
        && letters(first)
    {
        return Some((format!("r{first}"), Builtin::SignedChar));
    }
    let number = name.strip_prefix('r')?;
    let (digits, ty) = match number.strip_suffix(['d', 'w', 'l', 'b']) {
        Some(digits) if number.ends_with('d') => (digits, Builtin::Int),
        Some(digits) if number.ends_with('w') => (digits, Builtin::Short),
        Some(digits) => (digits, Builtin::SignedChar),
        None => return None,
    };
    digits.parse::<u8>().is_ok().then(|| (format!("r{digits}"), ty))
}

static VECTOR: LazyLock<TypeRef> = LazyLock::new(|| {
    let member = |name: &str, element: TypeRef, size: u64| Member {
        name: Some(name.into()),
        ty: array_of(element, Some(size), Some(16 / size)),
        offset: 0,
        bits: None,
        base: false,
        is_static: false,
        virtual_at: None,
    };
    let byte = TypeRef::Made(Arc::new(Type {
        name: Some("int8_t".into()),
        size: Some(1),
        kind: Kind::Base(Encoding::Signed),
    }));
    let mut members = vec![
        member("v4_float", Builtin::Float.ty(), 4),
        member("v2_double", Builtin::Double.ty(), 8),
        member("v16_int8", byte, 1),
        member("v8_int16", Builtin::Short.ty(), 2),
        member("v4_int32", Builtin::Int.ty(), 4),
        member("v2_int64", Builtin::Long.ty(), 8),
    ];
    members.push(Member {
        name: Some("uint128".into()),
        ty: Builtin::UnsignedInt128.ty(),
        offset: 0,
        bits: None,
        base: false,
        is_static: false,
        virtual_at: None,
    });
    let kind = Kind::Aggregate { tag: Aggregate::Union, members, declaration: false };
    TypeRef::Made(Arc::new(Type { name: Some("vec128".into()), size: Some(16), kind }))
});

/// The type of the flags register; its values are shown as the flags that are set.
pub(in crate::engine) const FLAGS_TYPE: &str = "i386_eflags";

/// Bits of the flags register (Intel SDM volume 1, 3.4.3).
const FLAG_BITS: &[(&str, i64)] = &[
    ("CF", 0),
    ("PF", 2),
    ("AF", 4),
    ("ZF", 6),
    ("SF", 7),
    ("TF", 8),
    ("IF", 9),
    ("DF", 10),
    ("OF", 11),
    ("NT", 14),
    ("RF", 16),
    ("VM", 17),
    ("AC", 18),
    ("VIF", 19),
    ("VIP", 20),
    ("ID", 21),
];

static FLAGS: LazyLock<TypeRef> = LazyLock::new(|| {
    let enumerators = FLAG_BITS.iter().map(|(name, bit)| (Arc::from(*name), 1 << bit)).collect();
    let kind = Kind::Enumeration { enumerators, signed: false, scoped: false };
    TypeRef::Made(Arc::new(Type { name: Some(FLAGS_TYPE.into()), size: Some(4), kind }))
});

fn named(name: &str, size: u64) -> TypeRef {
    let kind = Kind::Base(Encoding::Signed);
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size), kind }))
}

/// Whether a name is that of a register, or of a part of one.
pub(super) fn is_register(name: &str, surroundings: &dyn Surroundings) -> bool {
    surroundings.register_named(name).is_some()
        || part_of(name).is_some_and(|(whole, _)| surroundings.register_named(&whole).is_some())
}

/// The register of the frame with this name, with the type gdb gives it.
pub(super) fn register(name: &str, surroundings: &dyn Surroundings) -> Result<Value, EvalError> {
    if let Some(number) = surroundings.register_named(name) {
        let ty = match (name, surroundings.register(number).map_or(8, |bytes| bytes.len())) {
            ("rip" | "pc", _) => {
                let kind = Kind::Function {
                    returns: TypeRef::Void,
                    parameters: Vec::new(),
                    variadic: false,
                    prototyped: false,
                };
                pointer_to(TypeRef::Made(Arc::new(Type { name: None, size: None, kind })))
            }
            ("rsp" | "sp" | "rbp" | "fp", _) => pointer_to(TypeRef::Void),
            (_, 16) => VECTOR.clone(),
            (_, 10) => {
                let name = Some("builtin_type_i387_ext".into());
                TypeRef::Made(Arc::new(Type { name, size: Some(16), kind: Kind::Base(Encoding::Float) }))
            }
            ("eflags" | "rflags", _) => FLAGS.clone(),
            ("mxcsr" | "fctrl" | "fstat", _) => named("int", 4),
            ("cs" | "ss" | "ds" | "es" | "fs" | "gs", _) | (_, ..=4) => named("int32_t", 4),
            _ => named("int64_t", 8),
        };
        return Ok(Value::new(ty, Place::Register(number)));
    }
    if let Some((whole, ty)) = part_of(name)
        && let Some(number) = surroundings.register_named(&whole)
    {
        let ty = if ty == Builtin::SignedChar { named("int8_t", 1) } else { ty.ty() };
        return Ok(Value::new(ty, Place::Register(number)));
    }
    Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("There is no register \"{name}\".")))
}
