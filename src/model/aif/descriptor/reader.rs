//! Reading a descriptor.

use crate::aif::{AifError, AifType, CharStyle, ChildStyle, Field, MAX_DEPTH, MAX_WIDTH, Spelling};
use std::str::FromStr;

impl FromStr for AifType {
    type Err = AifError;

    fn from_str(text: &str) -> Result<Self, AifError> {
        let mut reader = Reader { text, position: 0, depth: 0 };
        let mut ty = reader.ty()?;
        if let AifType::Aggregate { trailing, .. } = &mut ty {
            while reader.eat(',') {
                trailing.push(reader.field()?);
            }
        }
        if reader.position < text.len() { Err(reader.expected("the end of the type")) } else { Ok(ty) }
    }
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn expected(&self, expected: &'static str) -> AifError {
        AifError::Descriptor { expected, position: self.position }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.position += c.len_utf8();
        }
        found
    }

    fn need(&mut self, c: char, what: &'static str) -> Result<(), AifError> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(what)) }
    }

    fn digits(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.position += end;
        rest.get(..end).unwrap_or_default()
    }

    fn number<T: FromStr>(&mut self, what: &'static str) -> Result<T, AifError> {
        let start = self.position;
        self.digits().parse().map_err(|_| AifError::Descriptor { expected: what, position: start })
    }

    fn signed(&mut self) -> Result<i64, AifError> {
        let start = self.position;
        self.eat('-');
        self.digits();
        let text = self.text.get(start..self.position).unwrap_or_default();
        text.parse().map_err(|_| AifError::Descriptor { expected: "a number", position: start })
    }

    fn size(&mut self) -> Result<u32, AifError> {
        let start = self.position;
        match self.number("a size in bytes")? {
            size if size <= MAX_WIDTH => Ok(size),
            _ => Err(AifError::Descriptor { expected: "a size of at most 16 bytes", position: start }),
        }
    }

    fn address(&mut self) -> Result<u32, AifError> {
        self.need('a', "an address kind")?;
        self.size()
    }

    /// Reads text up to an unescaped `end`, and consumes that.
    fn name(&mut self, end: char) -> Result<String, AifError> {
        let mut name = String::new();
        let mut characters = self.rest().char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '\\' => name.push(characters.next().map_or('\\', |(_, escaped)| escaped)),
                c if c == end => {
                    self.position += at + end.len_utf8();
                    return Ok(name);
                }
                c => name.push(c),
            }
        }
        self.position = self.text.len();
        Err(self.expected("the end of a name"))
    }

    fn field(&mut self) -> Result<Field, AifError> {
        let name = self.name('=')?;
        Ok(Field { name, ty: self.ty()? })
    }

    fn fields(&mut self, ends: &[char]) -> Result<Vec<Field>, AifError> {
        let mut fields = Vec::new();
        if self.peek().is_some_and(|c| ends.contains(&c)) {
            return Ok(fields);
        }
        loop {
            fields.push(self.field()?);
            if !self.eat(',') {
                return Ok(fields);
            }
        }
    }

    fn boxed(&mut self) -> Result<Box<AifType>, AifError> {
        self.ty().map(Box::new)
    }

    fn ty(&mut self) -> Result<AifType, AifError> {
        if self.depth >= MAX_DEPTH {
            return Err(AifError::TooDeep);
        }
        self.depth += 1;
        let ty = self.kind();
        self.depth -= 1;
        ty
    }

    fn kind(&mut self) -> Result<AifType, AifError> {
        let start = self.position;
        let Some(letter) = self.peek() else { return Err(self.expected("a type")) };
        self.position += letter.len_utf8();
        if let Some(ty) = self.scalar(letter)? {
            return Ok(ty);
        }
        Ok(match letter {
            '^' => AifType::Pointer { size: self.address()?, target: self.boxed()? },
            'p' => AifType::CharPointer { size: self.address()? },
            's' => AifType::String,
            '<' => self.enumeration()?,
            'r' => self.range()?,
            '[' => {
                let (index, element) = self.array()?;
                AifType::Array { index, element }
            }
            '{' => self.aggregate()?,
            '(' => {
                let name = self.name('|')?;
                let members = self.fields(&[')'])?;
                self.need(')', "\")\"")?;
                AifType::Union { name, members }
            }
            '&' => self.function()?,
            '%' => {
                let id = self.number("the number of a type")?;
                self.need('/', "\"/\"")?;
                AifType::Named { id, ty: self.boxed()? }
            }
            '>' => {
                let id = self.number("the number of a type")?;
                self.need('/', "\"/\"")?;
                AifType::NamedReference { id }
            }
            '?' => {
                let rest = self.rest();
                let end = rest.find('?').ok_or_else(|| self.expected("\"?\""))?;
                self.position += end + 1;
                AifType::Unknown(rest.get(..end).unwrap_or_default().to_owned())
            }
            '~' => AifType::Reference { size: self.address()?, target: self.boxed()? },
            '@' => AifType::Located { size: self.address()?, ty: self.boxed()? },
            'A' => AifType::AnnotatedAddress { size: self.size()? },
            '!' => AifType::Optional(self.boxed()?),
            'q' => {
                let unit = self.boxed()?;
                if !unit.is_character() {
                    return Ok(self.incomplete(start));
                }
                AifType::TextPointer { unit, size: self.address()? }
            }
            't' => AifType::Titled(self.boxed()?),
            'y' => AifType::Own,
            'l' => {
                let Some(style) = self.peek().and_then(ChildStyle::of_letter) else {
                    return Ok(self.incomplete(start));
                };
                self.position += 1;
                let key = if style == ChildStyle::Keyed { self.boxed()? } else { Box::new(AifType::Void { size: 0 }) };
                AifType::Children { style, key, element: self.boxed()? }
            }
            'k' => {
                let Some(language) = self.peek().and_then(Spelling::of_letter) else {
                    return Ok(self.incomplete(start));
                };
                self.position += 1;
                AifType::Spoken { language, ty: self.boxed()? }
            }
            'z' => {
                self.need('[', "\"[\"")?;
                let (index, element) = self.array()?;
                AifType::Runs { index, element }
            }
            _ => self.incomplete(start),
        })
    }

    /// Reads a number, character or address type.
    fn scalar(&mut self, letter: char) -> Result<Option<AifType>, AifError> {
        Ok(Some(match letter {
            'i' => {
                let signed = self.eat('s');
                if !signed {
                    self.need('u', "\"s\" or \"u\"")?;
                }
                AifType::Integer { signed, size: self.size()? }
            }
            'f' => AifType::Float { size: self.size()? },
            'e' => match self.digits() {
                "10" => AifType::Extended,
                "2" => AifType::Brain,
                _ => return Ok(None),
            },
            'x' => AifType::Complex(self.boxed()?),
            'c' => AifType::Char,
            'w' => {
                let Some(style) = self.peek().and_then(CharStyle::of_letter) else { return Ok(None) };
                self.position += 1;
                AifType::Character { style, size: self.size()? }
            }
            'b' => AifType::Bool { size: self.size()? },
            'd' => {
                let bits = self.number("a width in bits")?;
                self.need(',', "\",\"")?;
                AifType::BitField { bits, base: self.boxed()? }
            }
            'g' => {
                self.need('<', "\"<\"")?;
                let names = self.flags()?;
                AifType::Flags { names, size: self.size()? }
            }
            'v' => AifType::Void { size: self.size()? },
            'a' => AifType::Address { size: self.size()? },
            _ => return Ok(None),
        }))
    }

    /// Reads the text of an unknown kind, up to the end of the enclosing type.
    fn incomplete(&mut self, start: usize) -> AifType {
        self.position = start;
        let rest = self.rest();
        let mut open = 0_usize;
        let end = rest.find(|c| {
            match c {
                '{' | '(' | '[' | '<' => open += 1,
                '}' | ')' | ']' | '>' if open > 0 => open -= 1,
                '}' | ')' | ']' | '>' | ',' | ';' | '/' if open == 0 => return true,
                _ => {}
            }
            false
        });
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.position += text.len();
        AifType::Incomplete(text.to_owned())
    }

    fn enumeration(&mut self) -> Result<AifType, AifError> {
        let name = self.name('|')?;
        let mut enumerators = Vec::new();
        while !self.eat('>') {
            if !enumerators.is_empty() {
                self.need(',', "\",\" or \">\"")?;
            }
            let name = self.name('=')?;
            enumerators.push((name, self.signed()?));
        }
        Ok(AifType::Enumeration { name, enumerators, base: self.boxed()? })
    }

    fn flags(&mut self) -> Result<Vec<(String, u32)>, AifError> {
        let mut names = Vec::new();
        while !self.eat('>') {
            if !names.is_empty() {
                self.need(',', "\",\" or \">\"")?;
            }
            let name = self.name('=')?;
            names.push((name, self.number("the number of a bit")?));
        }
        Ok(names)
    }

    fn range(&mut self) -> Result<AifType, AifError> {
        let low = self.signed()?;
        let count = if self.rest().starts_with("..") {
            self.position += 2;
            let high = self.signed()?;
            u64::try_from(i128::from(high) - i128::from(low) + 1).unwrap_or(0)
        } else {
            self.need(',', "\",\" or \"..\"")?;
            self.number("a number of elements")?
        };
        Ok(AifType::Range { low, count, base: self.boxed()? })
    }

    fn array(&mut self) -> Result<(Box<AifType>, Box<AifType>), AifError> {
        let index = self.boxed()?;
        if !matches!(*index, AifType::Range { .. }) {
            return Err(self.expected("a range"));
        }
        self.need(']', "\"]\"")?;
        Ok((index, self.boxed()?))
    }

    fn aggregate(&mut self) -> Result<AifType, AifError> {
        let name = self.name('|')?;
        let mut sections = <[Vec<Field>; 4]>::default();
        for section in &mut sections {
            *section = self.fields(&[';', '}'])?;
            if !self.eat(';') {
                break;
            }
        }
        self.need('}', "\"}\"")?;
        Ok(AifType::Aggregate { name, sections, trailing: Vec::new() })
    }

    fn function(&mut self) -> Result<AifType, AifError> {
        let mut parameters = Vec::new();
        if !self.eat('/') {
            loop {
                parameters.push(self.ty()?);
                if self.eat('/') {
                    break;
                }
                self.need(',', "\",\" or \"/\"")?;
            }
        }
        Ok(AifType::Function { parameters, returns: self.boxed()? })
    }
}
