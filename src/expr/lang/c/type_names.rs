//! Parses C type names (abstract declarators).

use crate::EvalError;
use crate::syntax::token::Token;
use crate::syntax::token_cursor::TokenCursor;
use crate::syntax::tree::{BaseType, Derivation, Node, NodeKind, TypeExpression};
use debuginfo::types::builtin::Builtin;
use std::sync::Arc;

#[derive(Default)]
struct Specifiers {
    longs: u32,
    short: bool,
    sign: Option<Sign>,
    qualifiers: Qualifiers,
    complex: bool,
    base: Option<BaseType>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

/// The qualifiers that make a difference to values.
#[derive(Default)]
struct Qualifiers {
    is_const: bool,
    is_volatile: bool,
}

impl Qualifiers {
    /// Takes a word if it is a qualifier; returns `false` otherwise.
    fn take(&mut self, word: &str) -> bool {
        match word {
            "const" => self.is_const = true,
            "volatile" => self.is_volatile = true,
            "restrict" | "_Atomic" => {}
            _ => return false,
        }
        true
    }
}

const WORDS: &[&str] = &[
    "void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const", "volatile",
    "restrict", "struct", "union", "enum", "class", "_Complex", "complex", "__int128", "_Atomic",
];

/// Words before an expression in parentheses, whose type they are.
const OPERATORS: &[&str] = &["typeof", "__typeof__", "__typeof", "decltype", "__decltype"];

/// Parses an expression within a type.
pub(crate) type Operand<'o, 'a> = dyn Fn(&mut TokenCursor<'a>) -> Result<Node, EvalError> + 'o;

/// True if a type begins here, as far as can be told without looking up names.
pub(crate) fn at_type(tokens: &TokenCursor<'_>, types: &[Arc<str>]) -> bool {
    match tokens.peek(0) {
        Some(Token::Word(word)) => {
            WORDS.contains(&&**word) && !is_name(tokens, word)
                || types.contains(word)
                || OPERATORS.contains(&&**word) && tokens.is_sign(1, "(")
        }
        _ => false,
    }
}

/// `complex` and `class` are names in C; they are types when another word follows.
fn is_name(tokens: &TokenCursor<'_>, word: &str) -> bool {
    matches!(word, "complex" | "class") && !matches!(tokens.peek(1), Some(Token::Word(_)))
}

pub(crate) fn type_expression<'a>(
    tokens: &mut TokenCursor<'a>,
    operand: &Operand<'_, 'a>,
) -> Result<TypeExpression, EvalError> {
    let position = tokens.position();
    let mut specifiers = Specifiers::default();
    while let Some(Token::Word(word)) = tokens.peek(0) {
        if !specifier(tokens, &mut specifiers, word, operand)? {
            break;
        }
    }
    let Qualifiers { is_const, is_volatile } = specifiers.qualifiers;
    let Some(base) = specifiers.base() else { return Err(tokens.fault()) };
    let derived = tokens.deeper(|tokens| declarator(tokens, operand))?;
    Ok(TypeExpression { base, is_const, is_volatile, derived, position })
}

/// Takes a word if it is a specifier; returns `false` otherwise.
fn specifier<'a>(
    tokens: &mut TokenCursor<'a>,
    specifiers: &mut Specifiers,
    word: &Arc<str>,
    operand: &Operand<'_, 'a>,
) -> Result<bool, EvalError> {
    if specifiers.qualifiers.take(word) {
        tokens.advance();
        return Ok(true);
    }
    let builtin = |builtin| Some(BaseType::Builtin(builtin));
    match &**word {
        "long" => specifiers.longs += 1,
        "short" => specifiers.short = true,
        "signed" => specifiers.sign = specifiers.sign.or(Some(Sign::Signed)),
        "unsigned" => specifiers.sign = Some(Sign::Unsigned),
        "_Complex" | "complex" => specifiers.complex = true,
        "struct" | "union" | "enum" | "class" if specifiers.base.is_none() => {
            let tag = match &**word {
                "struct" => "struct",
                "union" => "union",
                "class" => "class",
                _ => "enum",
            };
            tokens.advance();
            let Some(Token::Word(name)) = tokens.peek(0) else { return Err(tokens.fault()) };
            specifiers.base = Some(BaseType::Named(Some(tag), name.clone()));
        }
        _ if specifiers.base.is_some() || tokens.is_sign(1, "::*") => return Ok(false),
        word if OPERATORS.contains(&word) && tokens.is_sign(1, "(") => {
            let is_declared = word.ends_with("decltype");
            tokens.advance();
            specifiers.base = Some(type_of_operand(tokens, is_declared, operand)?);
            return Ok(true);
        }
        "void" => specifiers.base = builtin(Builtin::Void),
        "_Bool" => specifiers.base = builtin(Builtin::Bool),
        "char" => specifiers.base = builtin(Builtin::Char),
        "int" => specifiers.base = builtin(Builtin::Int),
        "float" => specifiers.base = builtin(Builtin::Float),
        "double" => specifiers.base = builtin(Builtin::Double),
        "__int128" => specifiers.base = builtin(Builtin::Int128),
        _ if specifiers.is_integer() => return Ok(false),
        _ => specifiers.base = Some(BaseType::Named(None, word.clone())),
    }
    tokens.advance();
    Ok(true)
}

/// Parses the parentheses after `typeof` or `decltype`.
fn type_of_operand<'a>(
    tokens: &mut TokenCursor<'a>,
    is_declared: bool,
    operand: &Operand<'_, 'a>,
) -> Result<BaseType, EvalError> {
    tokens.need("(")?;
    let position = tokens.position();
    if at_type(tokens, &[]) {
        let ty = tokens.deeper(|tokens| type_expression(tokens, operand))?;
        tokens.need(")")?;
        let of = Node::new(NodeKind::Type(ty), position)?.into();
        return Ok(BaseType::Of { of, refers: false });
    }
    // `decltype((x))` is not the type that `x` is declared with.
    let is_enclosed = tokens.is_sign(0, "(");
    let of = tokens.deeper(|tokens| operand(tokens))?;
    tokens.need(")")?;
    let is_name = matches!(of.kind, NodeKind::Name(_) | NodeKind::Member { .. }) && !is_enclosed;
    Ok(BaseType::Of { of: of.into(), refers: is_declared && !is_name })
}

/// Parses pointers, then a declarator in parentheses, then arrays and parameters; returns them in the order of
/// application.
fn declarator<'a>(tokens: &mut TokenCursor<'a>, operand: &Operand<'_, 'a>) -> Result<Vec<Derivation>, EvalError> {
    let mut derived = Vec::new();
    loop {
        if let Some(pointer) = pointer(tokens) {
            derived.push(pointer);
        } else if let (Some(Token::Word(class)), true) = (tokens.peek(0), tokens.is_sign(1, "::*")) {
            derived.push(Derivation::MemberPointer(class.clone()));
            tokens.advance();
            tokens.advance();
        } else if tokens.eat("&") {
            derived.push(Derivation::Reference { rvalue: false });
        } else if tokens.eat("&&") {
            derived.push(Derivation::Reference { rvalue: true });
        } else {
            break;
        }
    }
    let mut inner = Vec::new();
    let begins = || ["*", "&", "&&", "(", "["].iter().any(|sign| tokens.is_sign(1, sign));
    if tokens.is_sign(0, "(") && (begins() || tokens.is_sign(2, "::*")) {
        tokens.advance();
        inner = tokens.deeper(|tokens| declarator(tokens, operand))?;
        tokens.need(")")?;
    }
    let mut suffixes = Vec::new();
    loop {
        if tokens.eat("[") {
            let count = match tokens.peek(0) {
                Some(Token::Integer(count, _)) => {
                    tokens.advance();
                    Some(*count)
                }
                _ => None,
            };
            tokens.need("]")?;
            suffixes.push(Derivation::Array(count));
        } else if tokens.is_sign(0, "(") {
            suffixes.push(parameters(tokens, operand)?);
        } else {
            break;
        }
    }
    let is_array = matches!(suffixes.last(), Some(Derivation::Array(_)));
    derived.extend(suffixes.into_iter().rev());
    // As gdb, which takes `int[2]*` for a pointer to an array, as C does not.
    while is_array
        && inner.is_empty()
        && let Some(pointer) = pointer(tokens)
    {
        derived.push(pointer);
    }
    derived.extend(inner);
    Ok(derived)
}

/// Takes a star and the qualifiers behind it; `None` if there is no star.
fn pointer(tokens: &mut TokenCursor<'_>) -> Option<Derivation> {
    if !tokens.eat("*") {
        return None;
    }
    let mut qualifiers = Qualifiers::default();
    while let Some(Token::Word(word)) = tokens.peek(0) {
        if !qualifiers.take(word) {
            break;
        }
        tokens.advance();
    }
    let Qualifiers { is_const, is_volatile } = qualifiers;
    Some(Derivation::Pointer { is_const, is_volatile })
}

fn parameters<'a>(tokens: &mut TokenCursor<'a>, operand: &Operand<'_, 'a>) -> Result<Derivation, EvalError> {
    tokens.need("(")?;
    let mut parameters = Vec::new();
    let mut variadic = false;
    if tokens.eat(")") {
        return Ok(Derivation::Function { parameters, variadic, prototyped: false });
    }
    loop {
        if tokens.eat("...") {
            variadic = true;
            break;
        }
        parameters.push(tokens.deeper(|tokens| type_expression(tokens, operand))?);
        if !tokens.eat(",") {
            break;
        }
    }
    tokens.need(")")?;
    if let [only] = parameters.as_slice()
        && only.base == BaseType::Builtin(Builtin::Void)
        && only.derived.is_empty()
    {
        parameters.clear();
    }
    Ok(Derivation::Function { parameters, variadic, prototyped: true })
}

impl Specifiers {
    /// True if a size or a sign was given: `int` need not follow.
    fn is_integer(&self) -> bool {
        self.longs > 0 || self.short || self.sign.is_some()
    }

    fn base(self) -> Option<BaseType> {
        if self.base.is_none() && !self.is_integer() && !self.complex {
            return None;
        }
        let builtin = match (self.base, self.longs, self.sign == Some(Sign::Unsigned)) {
            (Some(named @ BaseType::Named(..)), _, _) => return Some(named),
            (Some(BaseType::Builtin(Builtin::Double)), 0, _) => Builtin::Double,
            (Some(BaseType::Builtin(Builtin::Double)), _, _) => Builtin::LongDouble,
            (Some(BaseType::Builtin(Builtin::Char)), _, true) => Builtin::UnsignedChar,
            (Some(BaseType::Builtin(Builtin::Char)), _, _) if self.sign.is_some() => Builtin::SignedChar,
            (Some(BaseType::Builtin(Builtin::Int128)), _, true) => Builtin::UnsignedInt128,
            (Some(BaseType::Builtin(Builtin::Int)) | None, longs, unsigned) => match (longs, unsigned) {
                (0, true) if self.short => Builtin::UnsignedShort,
                (0, false) if self.short => Builtin::Short,
                (0, true) => Builtin::UnsignedInt,
                (1, true) => Builtin::UnsignedLong,
                (1, false) => Builtin::Long,
                (2, true) => Builtin::UnsignedLongLong,
                (2, false) => Builtin::LongLong,
                (0, false) if self.sign.is_some() => Builtin::Int,
                (0, false) if self.complex => Builtin::Double,
                _ => Builtin::Int,
            },
            (Some(BaseType::Builtin(builtin)), _, _) => builtin,
            (Some(other), _, _) => return Some(other),
        };
        Some(if self.complex { BaseType::Complex(builtin) } else { BaseType::Builtin(builtin) })
    }
}
