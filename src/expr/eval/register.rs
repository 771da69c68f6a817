//! Registers as values of an expression.

use crate::EvalError;
use crate::context::EvalContext;
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of, pointer_to};
use debuginfo::types::{Aggregate, Encoding, Kind, Member, Place, Type, TypeRef};
use model::ErrorCode;
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

fn base(name: &str, size: u64, encoding: Encoding) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size), kind: Kind::Base(encoding) }))
}

/// The type of a vector register: a union of arrays, one for each kind of number.
fn vector(name: &str, size: u64) -> TypeRef {
    let member = |name: String, ty: TypeRef| Member {
        name: Some(name.into()),
        ty,
        offset: 0,
        bits: None,
        base: false,
        is_static: false,
        virtual_at: None,
    };
    let numbers = [
        ("bfloat16", base("bfloat16", 2, Encoding::Float), 2),
        ("half", base("half", 2, Encoding::Float), 2),
        ("float", Builtin::Float.ty(), 4),
        ("double", Builtin::Double.ty(), 8),
        ("int8", base("int8_t", 1, Encoding::Signed), 1),
        ("int16", base("int16_t", 2, Encoding::Signed), 2),
        ("int32", base("int32_t", 4, Encoding::Signed), 4),
        ("int64", base("int64_t", 8, Encoding::Signed), 8),
        ("int128", base("int128_t", 16, Encoding::Signed), 16),
    ];
    let members = numbers.into_iter().map(|(word, element, bytes)| match size / bytes {
        1 => member("uint128".to_owned(), base("uint128_t", 16, Encoding::Unsigned)),
        count => member(format!("v{count}_{word}"), array_of(element, Some(bytes), Some(count))),
    });
    let kind = Kind::Aggregate { tag: Aggregate::Union, members: members.collect(), declaration: false };
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size), kind }))
}

static VECTOR: LazyLock<TypeRef> = LazyLock::new(|| vector("vec128", 16));

static WIDE_VECTOR: LazyLock<TypeRef> = LazyLock::new(|| vector("builtin_type_vec256i", 32));

/// The type of the flags register; its values are shown as the names of the flags that are set.
pub const FLAGS_TYPE: &str = "i386_eflags";
/// The type of the control and status register of vector instructions.
const VECTOR_FLAGS_TYPE: &str = "i386_mxcsr";

/// Bits of the flags register (Intel SDM volume 1, 3.4.3); one without a name is always set.
const FLAG_BITS: &[(&str, u32)] = &[
    ("CF", 0),
    ("", 1),
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

/// Bits of `mxcsr` (Intel SDM volume 1, 10.2.3).
const VECTOR_FLAG_BITS: &[(&str, u32)] = &[
    ("IE", 0),
    ("DE", 1),
    ("ZE", 2),
    ("OE", 3),
    ("UE", 4),
    ("PE", 5),
    ("DAZ", 6),
    ("IM", 7),
    ("DM", 8),
    ("ZM", 9),
    ("OM", 10),
    ("UM", 11),
    ("PM", 12),
    ("FZ", 15),
];

fn flags(name: &str, bits: &[(&str, u32)]) -> TypeRef {
    let enumerators = bits.iter().map(|(name, bit)| (Arc::from(*name), 1 << bit)).collect();
    let kind = Kind::Enumeration { enumerators, signed: false, scoped: false };
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(4), kind }))
}

static FLAGS: LazyLock<TypeRef> = LazyLock::new(|| flags(FLAGS_TYPE, FLAG_BITS));

static VECTOR_FLAGS: LazyLock<TypeRef> = LazyLock::new(|| flags(VECTOR_FLAGS_TYPE, VECTOR_FLAG_BITS));

/// True for the type of a flags register.
pub(crate) fn is_of_flags(ty: &Type) -> bool {
    matches!(ty.name.as_deref(), Some(FLAGS_TYPE | VECTOR_FLAGS_TYPE))
}

fn named(name: &str, size: u64) -> TypeRef {
    base(name, size, Encoding::Signed)
}

/// True for the name of a register or of a part of one.
pub(crate) fn is_register(name: &str, context: &EvalContext<'_>) -> bool {
    context.symbols().register_named(name).is_some()
        || part_of(name).is_some_and(|(whole, _)| context.symbols().register_named(&whole).is_some())
}

/// Returns the frame's register of this name, with gdb's type for it.
pub(crate) fn register(name: &str, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    // Every frame has a pc: without one there is no frame.
    if context.symbols().register_named("pc").is_none_or(|pc| context.register(pc).is_none()) {
        return Err(EvalError::new(ErrorCode::DEBUGGER, "No registers."));
    }
    if let Some(number) = context.symbols().register_named(name) {
        let ty = match (name, context.register(number).map_or(8, |bytes| bytes.len())) {
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
            (_, 32) => WIDE_VECTOR.clone(),
            (_, 16) => VECTOR.clone(),
            (_, 10) => {
                let name = Some("builtin_type_i387_ext".into());
                TypeRef::Made(Arc::new(Type { name, size: Some(16), kind: Kind::Base(Encoding::Float) }))
            }
            ("eflags" | "rflags", _) => FLAGS.clone(),
            ("mxcsr", _) => VECTOR_FLAGS.clone(),
            ("fctrl" | "fstat", _) => named("int", 4),
            ("cs" | "ss" | "ds" | "es" | "fs" | "gs", _) | (_, ..=4) => named("int32_t", 4),
            _ => named("int64_t", 8),
        };
        return Ok(Value::new(ty, Place::Register(number)));
    }
    if let Some((whole, ty)) = part_of(name)
        && let Some(number) = context.symbols().register_named(&whole)
    {
        let ty = if ty == Builtin::SignedChar { named("int8_t", 1) } else { ty.ty() };
        return Ok(Value::new(ty, Place::Register(number)));
    }
    Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("There is no register \"{name}\".")))
}
