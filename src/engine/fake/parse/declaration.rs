//! Parses types, variables and functions.

use super::lex::{Fault, Token};
use super::syntax::{Declaration, ExpressionKind, FunctionText, Initial};
use super::{
    super::ctype::{CHAR, CType, Enumeration, INT, LONG, Structure, UNSIGNED, UNSIGNED_LONG},
    FileText, Parser,
};
use std::sync::Arc;

const TYPE_WORDS: &[&str] = &[
    "void", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "struct", "union", "enum",
    "const", "static", "volatile", "extern",
];

const QUALIFIERS: &[&str] = &["const", "static", "volatile", "extern"];

impl Parser {
    pub(super) fn starts_type(&self, token: &Token) -> bool {
        matches!(token, Token::Name(n) if TYPE_WORDS.contains(&&**n) || self.names.types.contains_key(n))
    }

    pub(super) fn at_type(&self) -> bool {
        self.starts_type(self.peek())
    }

    /// Parses a type as in a cast: base, stars, dimensions.
    pub(super) fn type_name(&mut self) -> Result<CType, Fault> {
        let mut ty = self.base_type()?;
        while self.accept("*") {
            ty = ty.pointer();
        }
        self.dimensions(ty)
    }

    fn base_type(&mut self) -> Result<CType, Fault> {
        let constant =
            self.at_word("const") || (self.at_word("static") && *self.peek_after() == Token::Name("const".into()));
        let ty = self.unqualified()?;
        Ok(if constant { CType::Named(format!("const {}", ty.spelling()).into(), Arc::new(ty)) } else { ty })
    }

    fn unqualified(&mut self) -> Result<CType, Fault> {
        let (mut unsigned, mut signed, mut longs, mut base) = (false, false, 0, None);
        while let Token::Name(word) = self.peek().clone() {
            match &*word {
                w if QUALIFIERS.contains(&w) => {}
                "unsigned" => unsigned = true,
                "signed" => signed = true,
                "long" => longs += 1,
                "short" | "char" | "int" | "float" | "double" | "void" if !matches!(base, Some("short")) => {
                    base = ["short", "char", "int", "float", "double", "void"].into_iter().find(|b| **b == *word);
                }
                "int" => {}
                "struct" | "union" | "enum" => {
                    self.next();
                    return self.tagged(&word);
                }
                other if base.is_none() && !unsigned && !signed && longs == 0 => {
                    let Some(ty) = self.names.types.get(other) else { break };
                    let named = CType::Named(word.clone(), Arc::new(ty.clone()));
                    self.next();
                    while QUALIFIERS.iter().any(|q| self.accept_word(q)) {}
                    return Ok(named);
                }
                _ => break,
            }
            self.next();
        }
        Ok(match (base, unsigned, longs) {
            (Some("void"), ..) => CType::Void,
            (Some("float"), ..) => CType::Float(4),
            (Some("double"), ..) => CType::Float(8),
            (Some("char"), false, _) => CHAR,
            (Some("char"), true, _) => CType::Integer(1, false, "unsigned char"),
            (Some("short"), false, _) => CType::Integer(2, true, "short"),
            (Some("short"), true, _) => CType::Integer(2, false, "unsigned short"),
            (_, false, 1) => LONG,
            (_, false, 2..) => CType::Integer(8, true, "long long"),
            (_, true, 1..) => UNSIGNED_LONG,
            (_, true, 0) => UNSIGNED,
            (Some(_), ..) => INT,
            (None, ..) if signed => INT,
            (None, ..) => return Err(self.fault("expected a type")),
        })
    }

    /// Parses the rest of a type after `struct`, `union` or `enum`.
    fn tagged(&mut self, keyword: &str) -> Result<CType, Fault> {
        let tag: Arc<str> = match self.peek().clone() {
            Token::Name(tag) => {
                self.next();
                tag
            }
            _ => "{...}".into(),
        };
        if !self.accept("{") {
            let known = self.names.structures.get(&tag).map(|s| CType::Structure(s.clone()));
            let enumeration = self.names.types.get(&*format!("enum {tag}")).cloned();
            return Ok(known.filter(|_| keyword != "enum").or(enumeration).unwrap_or(CType::Tag(tag)));
        }
        if keyword == "enum" {
            return self.enumerators(tag);
        }
        let mut members = Vec::new();
        while !self.accept("}") {
            let base = self.base_type()?;
            loop {
                let (name, ty) = self.declarator(base.clone())?;
                members.push((name, ty));
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";")?;
        }
        let structure = Arc::new(Structure::lay_out(tag.clone(), keyword == "union", members));
        self.names.structures.insert(tag, structure.clone());
        Ok(CType::Structure(structure))
    }

    fn enumerators(&mut self, tag: Arc<str>) -> Result<CType, Fault> {
        let (mut values, mut next) = (Vec::new(), 0);
        while !self.accept("}") {
            let name = self.name()?;
            if self.accept("=") {
                let negative = self.accept("-");
                let Token::Integer(value, ..) = self.next() else { return Err(self.fault("expected a number")) };
                next = if negative { -(value as i64) } else { value as i64 };
            }
            values.push((name, next));
            next += 1;
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        let ty = CType::Enumeration(Arc::new(Enumeration { tag: tag.clone(), values: values.clone() }));
        self.names.constants.extend(values.into_iter().map(|(name, value)| (name, (value, ty.clone()))));
        self.names.types.insert(format!("enum {tag}").into(), ty.clone());
        Ok(ty)
    }

    /// Parses stars, name and dimensions.
    fn declarator(&mut self, mut ty: CType) -> Result<(Arc<str>, CType), Fault> {
        loop {
            if self.accept("*") {
                ty = ty.pointer();
            } else if !QUALIFIERS.iter().any(|q| self.accept_word(q)) {
                break;
            }
        }
        let name = self.name()?;
        Ok((name, self.dimensions(ty)?))
    }

    fn dimensions(&mut self, ty: CType) -> Result<CType, Fault> {
        let mut counts = Vec::new();
        while self.accept("[") {
            let mut count = 0u32;
            if !self.accept("]") {
                count = self.constant_sum()?;
                self.expect("]")?;
            }
            counts.push(count);
        }
        Ok(counts.into_iter().rev().fold(ty, |ty, count| CType::Array(Arc::new(ty), count)))
    }

    /// Parses `N` or `N + 2`, as in the sizes of arrays.
    fn constant_sum(&mut self) -> Result<u32, Fault> {
        let mut sum = 0u32;
        loop {
            let value = match self.next() {
                Token::Integer(value, ..) => u32::try_from(value).ok(),
                Token::Name(name) => self.names.constants.get(&name).and_then(|(value, _)| u32::try_from(*value).ok()),
                _ => None,
            };
            let total = value.and_then(|value| sum.checked_add(value)).filter(|n| *n <= 1 << 20);
            sum = total.ok_or_else(|| self.fault("expected an array size up to 1048576"))?;
            if !self.accept("+") {
                return Ok(sum);
            }
        }
    }

    /// Parses `= value` or `= { … }`; an array without a size gets that of the list.
    fn initial(&mut self) -> Result<Initial, Fault> {
        let line = self.line();
        if !self.accept("{") {
            return Ok(Initial::Value(self.expression()?));
        }
        let mut values = Vec::new();
        while !self.accept("}") {
            if self.accept(".") {
                self.name()?;
                self.expect("=")?;
            }
            values.push(self.initial()?);
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Initial::List(values, line))
    }

    /// Parses variables of one type, from after the type to the closing `;`.
    fn variables(
        &mut self,
        base: &CType,
        fixed: bool,
        first: Option<(Arc<str>, CType)>,
    ) -> Result<Vec<Declaration>, Fault> {
        let (mut found, mut known) = (Vec::new(), first);
        loop {
            let line = self.line();
            let (name, mut ty) = match known.take() {
                Some(known) => known,
                None => self.declarator(base.clone())?,
            };
            let initial = if self.accept("=") { Some(self.initial()?) } else { None };
            if let CType::Array(of, 0) = &ty {
                let count = match &initial {
                    Some(Initial::List(values, _)) => values.len() as u32,
                    Some(Initial::Value(e)) => match &e.kind {
                        ExpressionKind::Text(text) => text.len() as u32 + 1,
                        _ => 0,
                    },
                    None => 0,
                };
                ty = CType::Array(of.clone(), count);
            }
            found.push(Declaration { name, ty, initial, line, fixed });
            if !self.accept(",") {
                self.expect(";")?;
                return Ok(found);
            }
        }
    }

    pub(super) fn local_variables(&mut self) -> Result<Vec<Declaration>, Fault> {
        let fixed = self.at_word("static");
        let base = self.base_type()?;
        if self.accept(";") {
            return Ok(Vec::new());
        }
        self.variables(&base, fixed, None)
    }

    /// Parses a type, variable or function at file level.
    pub(super) fn external(&mut self, file: &mut FileText) -> Result<(), Fault> {
        if self.accept(";") {
            return Ok(());
        }
        if self.accept_word("typedef") {
            let base = self.base_type()?;
            let (name, ty) = self.declarator(base)?;
            self.names.types.insert(name, ty);
            return self.expect(";");
        }
        let outside = self.at_word("extern");
        let base = self.base_type()?;
        if self.accept(";") {
            return Ok(());
        }
        let (name, ty) = self.declarator(base.clone())?;
        if !self.accept("(") {
            let found = self.variables(&base, true, Some((name, ty)))?;
            file.globals.extend(found.into_iter().filter(|_| !outside));
            return Ok(());
        }
        let mut parameters = Vec::new();
        while !self.accept(")") {
            if self.at_word("void") && matches!(self.peek_after(), Token::Sign(")")) {
                self.next();
                continue;
            }
            let base = self.base_type()?;
            let (name, ty) = self.declarator(base)?;
            let ty = match ty {
                CType::Array(of, _) => CType::Pointer(of),
                other => other,
            };
            parameters.push((name, ty));
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
        }
        if self.accept(";") {
            return Ok(());
        }
        // Compilers give a function's first instruction the line of its brace.
        let line = self.line();
        self.expect("{")?;
        let (body, end) = self.block_body()?;
        file.functions.push(FunctionText { name, returns: ty, parameters, body, lines: (line, end) });
        Ok(())
    }
}
