//! Types as C writes them without a name.

use crate::EvalError;
use crate::syntax::parser::Parser;
use crate::syntax::token::Token;
use crate::syntax::tree::{BaseType, Derivation, TypeExpression};
use debuginfo::types::builtin::Builtin;
use std::sync::Arc;

/// Words of the specifiers of one type.
#[derive(Default)]
struct Specifiers {
    longs: u32,
    short: bool,
    signed: bool,
    unsigned: bool,
    is_const: bool,
    is_volatile: bool,
    complex: bool,
    base: Option<BaseType>,
}

const WORDS: &[&str] = &[
    "void", "_Bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const", "volatile",
    "restrict", "struct", "union", "enum", "class", "_Complex", "complex", "__int128", "_Atomic",
];

impl Parser<'_> {
    /// Whether a type begins here, as far as can be told without looking names up.
    pub(crate) fn at_type(&self) -> bool {
        match self.peek(0) {
            Some(Token::Word(word)) => WORDS.contains(&&**word) && !self.is_name(word) || self.is_type_name(word),
            _ => false,
        }
    }

    /// `complex` and `class` are names in C; they are types when another word follows.
    fn is_name(&self, word: &str) -> bool {
        matches!(word, "complex" | "class") && !matches!(self.peek(1), Some(Token::Word(_)))
    }

    /// Specifiers and an abstract declarator.
    pub(crate) fn type_expression(&mut self) -> Result<TypeExpression, EvalError> {
        let position = self.position();
        let mut specifiers = Specifiers::default();
        while let Some(Token::Word(word)) = self.peek(0) {
            if !self.specifier(&mut specifiers, word)? {
                break;
            }
        }
        let (is_const, is_volatile) = (specifiers.is_const, specifiers.is_volatile);
        let Some(base) = specifiers.base() else { return Err(self.fault()) };
        let derived = self.deeper(Self::declarator)?;
        Ok(TypeExpression { base, is_const, is_volatile, derived, position })
    }

    /// Takes a word that belongs to the specifiers.
    fn specifier(&mut self, specifiers: &mut Specifiers, word: &Arc<str>) -> Result<bool, EvalError> {
        let builtin = |builtin| Some(BaseType::Builtin(builtin));
        match &**word {
            "const" => specifiers.is_const = true,
            "volatile" => specifiers.is_volatile = true,
            "restrict" | "_Atomic" => {}
            "long" => specifiers.longs += 1,
            "short" => specifiers.short = true,
            "signed" => specifiers.signed = true,
            "unsigned" => specifiers.unsigned = true,
            "_Complex" | "complex" => specifiers.complex = true,
            "struct" | "union" | "enum" | "class" if specifiers.base.is_none() => {
                let tag = match &**word {
                    "struct" => "struct",
                    "union" => "union",
                    "class" => "class",
                    _ => "enum",
                };
                self.advance();
                let Some(Token::Word(name)) = self.peek(0) else { return Err(self.fault()) };
                specifiers.base = Some(BaseType::Named(Some(tag), name.clone()));
            }
            _ if specifiers.base.is_some() => return Ok(false),
            "void" => specifiers.base = builtin(Builtin::Void),
            "_Bool" => specifiers.base = builtin(Builtin::Bool),
            "char" => specifiers.base = builtin(Builtin::Char),
            "int" => specifiers.base = builtin(Builtin::Int),
            "float" => specifiers.base = builtin(Builtin::Float),
            "double" => specifiers.base = builtin(Builtin::Double),
            "__int128" => specifiers.base = builtin(Builtin::Int128),
            _ if specifiers.longs > 0 || specifiers.short || specifiers.signed || specifiers.unsigned => {
                return Ok(false);
            }
            _ => specifiers.base = Some(BaseType::Named(None, word.clone())),
        }
        self.advance();
        Ok(true)
    }

    /// Pointers, then brackets with a declarator in them, then arrays and parameters; in the order of application.
    fn declarator(&mut self) -> Result<Vec<Derivation>, EvalError> {
        let mut derived = Vec::new();
        loop {
            if self.eat("*") {
                let (mut is_const, mut is_volatile) = (false, false);
                while let Some(Token::Word(word)) = self.peek(0) {
                    match &**word {
                        "const" => is_const = true,
                        "volatile" => is_volatile = true,
                        "restrict" | "_Atomic" => {}
                        _ => break,
                    }
                    self.advance();
                }
                derived.push(Derivation::Pointer { is_const, is_volatile });
            } else if self.eat("&") || self.eat("&&") {
                derived.push(Derivation::Reference);
            } else {
                break;
            }
        }
        let mut inner = Vec::new();
        if self.is_sign(0, "(") && ["*", "&", "&&", "(", "["].iter().any(|sign| self.is_sign(1, sign)) {
            self.advance();
            inner = self.deeper(Self::declarator)?;
            self.need(")")?;
        }
        let mut suffixes = Vec::new();
        loop {
            if self.eat("[") {
                let count = match self.peek(0) {
                    Some(Token::Integer(count, _)) => {
                        self.advance();
                        Some(*count)
                    }
                    _ => None,
                };
                self.need("]")?;
                suffixes.push(Derivation::Array(count));
            } else if self.is_sign(0, "(") {
                suffixes.push(self.parameters()?);
            } else {
                break;
            }
        }
        derived.extend(suffixes.into_iter().rev());
        derived.extend(inner);
        Ok(derived)
    }

    fn parameters(&mut self) -> Result<Derivation, EvalError> {
        self.need("(")?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        if self.eat(")") {
            return Ok(Derivation::Function { parameters, variadic, prototyped: false });
        }
        loop {
            if self.eat("...") {
                variadic = true;
                break;
            }
            parameters.push(self.deeper(Self::type_expression)?);
            if !self.eat(",") {
                break;
            }
        }
        self.need(")")?;
        if let [only] = parameters.as_slice()
            && only.base == BaseType::Builtin(Builtin::Void)
            && only.derived.is_empty()
        {
            parameters.clear();
        }
        Ok(Derivation::Function { parameters, variadic, prototyped: true })
    }
}

impl Specifiers {
    fn base(self) -> Option<BaseType> {
        let modified = self.longs > 0 || self.short || self.signed || self.unsigned || self.complex;
        if self.base.is_none() && !modified {
            return None;
        }
        let builtin = match (self.base, self.longs, self.unsigned) {
            (Some(BaseType::Named(tag, name)), _, _) => return Some(BaseType::Named(tag, name)),
            (Some(BaseType::Builtin(Builtin::Double)), 0, _) => Builtin::Double,
            (Some(BaseType::Builtin(Builtin::Double)), _, _) => Builtin::LongDouble,
            (Some(BaseType::Builtin(Builtin::Char)), _, true) => Builtin::UnsignedChar,
            (Some(BaseType::Builtin(Builtin::Char)), _, _) if self.signed => Builtin::SignedChar,
            (Some(BaseType::Builtin(Builtin::Int128)), _, true) => Builtin::UnsignedInt128,
            (Some(BaseType::Builtin(Builtin::Int)) | None, longs, unsigned) => match (longs, unsigned) {
                (0, true) if self.short => Builtin::UnsignedShort,
                (0, false) if self.short => Builtin::Short,
                (0, true) => Builtin::UnsignedInt,
                (1, true) => Builtin::UnsignedLong,
                (1, false) => Builtin::Long,
                (2, true) => Builtin::UnsignedLongLong,
                (2, false) => Builtin::LongLong,
                (0, false) if self.signed => Builtin::Int,
                (0, false) if self.complex => Builtin::Double,
                _ => Builtin::Int,
            },
            (Some(BaseType::Builtin(builtin)), _, _) => builtin,
            (Some(other), _, _) => return Some(other),
        };
        Some(if self.complex { BaseType::Complex(builtin) } else { BaseType::Builtin(builtin) })
    }
}
