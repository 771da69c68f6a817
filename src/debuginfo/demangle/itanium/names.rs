//! Encodings and names (Itanium C++ ABI, 5.1.2 to 5.1.4).

use super::operators::operator;
use super::parser::Parser;
use super::{Id, Node, Qualifiers};

/// Letters of compiler-generated entities. A type follows these, a function or variable those of `OF_NAMES`.
const OF_TYPES: &[(&str, &str)] =
    &[("TV", "vtable for "), ("TT", "VTT for "), ("TI", "typeinfo for "), ("TS", "typeinfo name for ")];
const OF_NAMES: &[(&str, &str)] = &[
    ("GV", "guard variable for "),
    ("TH", "TLS init function for "),
    ("TW", "TLS wrapper function for "),
    ("GTt", "transaction clone for "),
];

impl Parser<'_> {
    /// Reads a function, a variable, or a compiler-generated entity. The return type is omitted unless the encoding is
    /// outermost.
    pub(super) fn encoding(&mut self, outermost: bool) -> Option<Id> {
        self.within(|parser| parser.encoding_of(outermost))
    }

    fn encoding_of(&mut self, outermost: bool) -> Option<Id> {
        if matches!(self.text.peek(), b'T' | b'G') {
            return self.special();
        }
        let (name, qualifiers) = self.name()?;
        if self.text.at_end() || self.text.peek() == b'E' {
            return self.nodes.add(Node::Encoding { name, returns: None, parameters: None, qualifiers });
        }
        let mut returns = None;
        if self.nodes.says_returned(name) {
            let ty = self.ty()?;
            returns = outermost.then_some(ty);
        }
        let parameters = self.parameters()?;
        self.nodes.add(Node::Encoding { name, returns, parameters: Some(parameters), qualifiers })
    }

    pub(super) fn parameters(&mut self) -> Option<Vec<Id>> {
        let mut all = Vec::new();
        while !self.text.at_end()
            && self.text.peek() != b'E'
            && !self.text.starts_with("RE")
            && !self.text.starts_with("OE")
        {
            if self.text.eat("v") {
                break;
            }
            all.push(self.ty()?);
        }
        Some(all)
    }

    fn special(&mut self) -> Option<Id> {
        if let Some((_, words)) = OF_TYPES.iter().find(|(letters, _)| self.text.eat(letters)) {
            let of = self.ty()?;
            return self.nodes.add(Node::Special(words, of));
        }
        if let Some((_, words)) = OF_NAMES.iter().find(|(letters, _)| self.text.eat(letters)) {
            let of = self.encoding(false)?;
            return self.nodes.add(Node::Special(words, of));
        }
        if self.text.eat("GR") {
            let (of, _) = self.name()?;
            self.text.sequence(36)?;
            return self.nodes.add(Node::Special("reference temporary for ", of));
        }
        if self.text.eat("TC") {
            let derived = self.ty()?;
            self.text.number()?;
            self.text.expect("_")?;
            let base = self.ty()?;
            return self.nodes.add(Node::Within(base, derived));
        }
        self.text.expect("T")?;
        let words = match self.text.peek() {
            b'h' => "non-virtual thunk to ",
            b'v' => "virtual thunk to ",
            b'c' => "covariant return thunk to ",
            _ => return None,
        };
        if self.text.eat("c") {
            self.call_offset()?;
        }
        self.call_offset()?;
        let of = self.encoding(true)?;
        self.nodes.add(Node::Special(words, of))
    }

    fn call_offset(&mut self) -> Option<()> {
        let twice = self.text.next()? == b'v';
        for _ in 0..if twice { 2 } else { 1 } {
            self.text.eat("n");
            self.text.number()?;
            self.text.expect("_")?;
        }
        Some(())
    }

    /// Reads a name, and the qualifiers of a member function.
    pub(super) fn name(&mut self) -> Option<(Id, Qualifiers)> {
        let plain = |id| (id, Qualifiers::default());
        match (self.text.peek(), self.text.second()) {
            (b'N', _) => self.nested(),
            (b'Z', _) => self.local(),
            (b'S', second) if second != b't' => {
                let of = self.substitution(false)?;
                self.with_arguments(of).map(plain)
            }
            _ => {
                let scope = if self.text.eat("St") { Some(self.nodes.name_of("std")?) } else { None };
                let name = self.unqualified(None)?;
                let name = match scope {
                    Some(scope) => self.nodes.add(Node::Nested(scope, name))?,
                    None => name,
                };
                if self.text.peek() != b'I' {
                    return Some(plain(name));
                }
                self.nodes.remember(name);
                self.with_arguments(name).map(plain)
            }
        }
    }

    pub(super) fn with_arguments(&mut self, of: Id) -> Option<Id> {
        let arguments = self.arguments()?;
        self.nodes.add(Node::Template(of, arguments))
    }

    fn nested(&mut self) -> Option<(Id, Qualifiers)> {
        self.text.expect("N")?;
        let qualifiers = self.qualifiers();
        let mut scope: Option<Id> = None;
        while !self.text.eat("E") {
            let id = match (self.text.peek(), self.text.second()) {
                (b'S', b't') => {
                    self.text.take(2)?;
                    scope = Some(self.nodes.name_of("std")?);
                    continue;
                }
                (b'S', _) => {
                    scope = Some(self.substitution(true)?);
                    continue;
                }
                (b'M', _) => {
                    self.text.next();
                    continue;
                }
                (b'I', _) => self.with_arguments(scope?)?,
                (b'T', _) => self.template_parameter()?,
                (b'D', b't' | b'T') => self.decltype()?,
                _ => {
                    let name = self.unqualified(scope)?;
                    match scope {
                        Some(scope) => self.nodes.add(Node::Nested(scope, name))?,
                        None => name,
                    }
                }
            };
            scope = Some(id);
            if self.text.peek() != b'E' {
                self.nodes.remember(id);
            }
        }
        Some((scope?, qualifiers))
    }

    /// Reads the qualifiers of a member function.
    pub(super) fn qualifiers(&mut self) -> Qualifiers {
        let mut words = Vec::new();
        for (letter, word) in [("r", "restrict"), ("V", "volatile"), ("K", "const"), ("R", "&"), ("O", "&&")] {
            if self.text.eat(letter) {
                words.push(word);
            }
        }
        // The type's qualifiers come first, innermost first.
        words.sort_by_key(|word| ["const", "volatile", "restrict", "&", "&&"].iter().position(|one| one == word));
        Qualifiers { words }
    }

    fn local(&mut self) -> Option<(Id, Qualifiers)> {
        self.text.expect("Z")?;
        let function = self.encoding(false)?;
        self.text.expect("E")?;
        if self.text.eat("s") {
            self.discriminator()?;
            let text = self.nodes.name_of("string literal")?;
            return Some((self.nodes.add(Node::Local(function, text))?, Qualifiers::default()));
        }
        if self.text.eat("d") {
            let number = self.text.sequence(10)? + 1;
            let (inner, qualifiers) = self.within(Self::name)?;
            let argument = self.nodes.add(Node::Name(format!("{{default arg#{number}}}")))?;
            let inner = self.nodes.add(Node::Nested(argument, inner))?;
            return Some((self.nodes.add(Node::Local(function, inner))?, qualifiers));
        }
        let (inner, qualifiers) = self.within(Self::name)?;
        self.discriminator()?;
        Some((self.nodes.add(Node::Local(function, inner))?, qualifiers))
    }

    fn discriminator(&mut self) -> Option<()> {
        if self.text.eat("__") {
            self.text.number()?;
            self.text.expect("_")
        } else if self.text.eat("_") {
            self.text.take(1).map(|_| ())
        } else {
            Some(())
        }
    }

    /// Reads a name without scopes; constructors take the name of the class `scope`.
    fn unqualified(&mut self, scope: Option<Id>) -> Option<Id> {
        self.text.eat("L");
        let mut name = match (self.text.peek(), self.text.second()) {
            (b'0'..=b'9', _) => self.source_name()?,
            (b'C', b'1'..=b'5' | b'I') => {
                let inherits = self.text.take(2)?.ends_with('I');
                if inherits {
                    self.text.next()?;
                    let of = self.within(Self::ty)?;
                    self.nodes.add(Node::Constructor("", of))?
                } else {
                    self.nodes.add(Node::Constructor("", scope?))?
                }
            }
            (b'D', b'0'..=b'5') => {
                self.text.take(2)?;
                self.nodes.add(Node::Constructor("~", scope?))?
            }
            (b'U', b'l') => self.lambda()?,
            (b'U', b't') => {
                self.text.take(2)?;
                let number = self.text.sequence(10)? + 1;
                self.nodes.add(Node::Name(format!("{{unnamed type#{number}}}")))?
            }
            (b'c', b'v') => {
                self.text.take(2)?;
                let ty = self.within(Self::ty)?;
                self.nodes.add(Node::Conversion(ty))?
            }
            (b'l', b'i') => {
                self.text.take(2)?;
                let length = self.text.number()?;
                let suffix = self.text.take(length)?;
                self.nodes.add(Node::Name(format!("operator\"\" {suffix}")))?
            }
            _ => {
                let sign = operator(self.text.take(2)?)?.sign;
                let blank = if sign.starts_with(char::is_alphabetic) { " " } else { "" };
                self.nodes.add(Node::Name(format!("operator{blank}{sign}")))?
            }
        };
        while self.text.eat("B") {
            let length = self.text.number()?;
            let tag = self.text.take(length)?.to_owned();
            name = self.nodes.add(Node::Tagged(name, tag))?;
        }
        Some(name)
    }

    pub(super) fn source_name(&mut self) -> Option<Id> {
        let length = self.text.number().filter(|length| *length > 0)?;
        let name = self.text.take(length)?;
        let anonymous = name.strip_prefix("_GLOBAL_").is_some_and(|rest| rest.get(1..2) == Some("N"));
        self.nodes.name_of(if anonymous { "(anonymous namespace)" } else { name })
    }

    fn lambda(&mut self) -> Option<Id> {
        self.text.expect("Ul")?;
        let parameters = self.parameters()?;
        self.text.expect("E")?;
        let number = self.text.sequence(10)? + 1;
        self.nodes.add(Node::Lambda(parameters, number))
    }
}
