//! Encodings and names (Itanium C++ ABI, 5.1.2 to 5.1.4).

use super::operators::operator;
use super::parser::Parser;
use super::{Id, Node, Qualifiers};

/// Things that compilers make, by the letters that announce them, which a type or a function follows.
const OF_TYPES: &[(&str, &str)] =
    &[("TV", "vtable for "), ("TT", "VTT for "), ("TI", "typeinfo for "), ("TS", "typeinfo name for ")];
const OF_NAMES: &[(&str, &str)] = &[
    ("GV", "guard variable for "),
    ("TH", "TLS init function for "),
    ("TW", "TLS wrapper function for "),
    ("GTt", "transaction clone for "),
];

impl Parser<'_> {
    /// A function, a variable, or what a compiler makes. Of a function that only says where something is declared the
    /// type that it returns is not written.
    pub(super) fn encoding(&mut self, outermost: bool) -> Option<Id> {
        self.within(|parser| parser.encoding_of(outermost))
    }

    fn encoding_of(&mut self, outermost: bool) -> Option<Id> {
        if matches!(self.peek(), b'T' | b'G') {
            return self.special();
        }
        let (name, qualifiers) = self.name()?;
        if self.at_end() || self.peek() == b'E' {
            return self.add(Node::Encoding { name, returns: None, parameters: None, qualifiers });
        }
        let mut returns = None;
        if self.says_returned(name) {
            let ty = self.ty()?;
            returns = outermost.then_some(ty);
        }
        let parameters = self.parameters()?;
        self.add(Node::Encoding { name, returns, parameters: Some(parameters), qualifiers })
    }

    pub(super) fn parameters(&mut self) -> Option<Vec<Id>> {
        let mut all = Vec::new();
        while !self.at_end() && self.peek() != b'E' && !self.starts_with("RE") && !self.starts_with("OE") {
            if self.eat("v") {
                break;
            }
            all.push(self.ty()?);
        }
        Some(all)
    }

    /// Only functions that are made of templates say what they return, and of those not all.
    fn says_returned(&self, name: Id) -> bool {
        match self.nodes.get(name) {
            Some(Node::Template(of, _)) => !self.is_made_of_type(*of),
            Some(Node::Local(_, inner)) => self.says_returned(*inner),
            _ => false,
        }
    }

    fn is_made_of_type(&self, name: Id) -> bool {
        match self.nodes.get(name) {
            Some(Node::Constructor(..) | Node::Conversion(_)) => true,
            Some(Node::Nested(_, last) | Node::Tagged(last, _)) => self.is_made_of_type(*last),
            _ => false,
        }
    }

    fn special(&mut self) -> Option<Id> {
        if let Some((_, words)) = OF_TYPES.iter().find(|(letters, _)| self.eat(letters)) {
            let of = self.ty()?;
            return self.add(Node::Special(words, of));
        }
        if let Some((_, words)) = OF_NAMES.iter().find(|(letters, _)| self.eat(letters)) {
            let of = self.encoding(false)?;
            return self.add(Node::Special(words, of));
        }
        if self.eat("GR") {
            let (of, _) = self.name()?;
            self.sequence(36)?;
            return self.add(Node::Special("reference temporary for ", of));
        }
        if self.eat("TC") {
            let derived = self.ty()?;
            self.number()?;
            self.expect("_")?;
            let base = self.ty()?;
            return self.add(Node::Within(base, derived));
        }
        self.expect("T")?;
        let words = match self.peek() {
            b'h' => "non-virtual thunk to ",
            b'v' => "virtual thunk to ",
            b'c' => "covariant return thunk to ",
            _ => return None,
        };
        if self.eat("c") {
            self.call_offset()?;
        }
        self.call_offset()?;
        let of = self.encoding(true)?;
        self.add(Node::Special(words, of))
    }

    fn call_offset(&mut self) -> Option<()> {
        let twice = self.next()? == b'v';
        for _ in 0..if twice { 2 } else { 1 } {
            self.eat("n");
            self.number()?;
            self.expect("_")?;
        }
        Some(())
    }

    /// A name, and the qualifiers of a member function.
    pub(super) fn name(&mut self) -> Option<(Id, Qualifiers)> {
        let plain = |id| (id, Qualifiers::default());
        match (self.peek(), self.second()) {
            (b'N', _) => self.nested(),
            (b'Z', _) => self.local(),
            (b'S', second) if second != b't' => {
                let of = self.substitution(false)?;
                self.with_arguments(of).map(plain)
            }
            _ => {
                let scope = if self.eat("St") { Some(self.name_of("std")?) } else { None };
                let name = self.unqualified(None)?;
                let name = match scope {
                    Some(scope) => self.add(Node::Nested(scope, name))?,
                    None => name,
                };
                if self.peek() != b'I' {
                    return Some(plain(name));
                }
                self.remember(name);
                self.with_arguments(name).map(plain)
            }
        }
    }

    pub(super) fn with_arguments(&mut self, of: Id) -> Option<Id> {
        let arguments = self.arguments()?;
        self.add(Node::Template(of, arguments))
    }

    fn nested(&mut self) -> Option<(Id, Qualifiers)> {
        self.expect("N")?;
        let qualifiers = self.qualifiers();
        let mut scope: Option<Id> = None;
        while !self.eat("E") {
            let id = match (self.peek(), self.second()) {
                (b'S', b't') => {
                    self.take(2)?;
                    scope = Some(self.name_of("std")?);
                    continue;
                }
                (b'S', _) => {
                    scope = Some(self.substitution(true)?);
                    continue;
                }
                (b'M', _) => {
                    self.next();
                    continue;
                }
                (b'I', _) => self.with_arguments(scope?)?,
                (b'T', _) => self.template_parameter()?,
                (b'D', b't' | b'T') => self.decltype()?,
                _ => {
                    let name = self.unqualified(scope)?;
                    match scope {
                        Some(scope) => self.add(Node::Nested(scope, name))?,
                        None => name,
                    }
                }
            };
            scope = Some(id);
            if self.peek() != b'E' {
                self.remember(id);
            }
        }
        Some((scope?, qualifiers))
    }

    /// `const` and its kin of a member function.
    pub(super) fn qualifiers(&mut self) -> Qualifiers {
        let mut words = Vec::new();
        for (letter, word) in [("r", "restrict"), ("V", "volatile"), ("K", "const"), ("R", "&"), ("O", "&&")] {
            if self.eat(letter) {
                words.push(word);
            }
        }
        // The qualifiers of the type come first, and the innermost of them.
        words.sort_by_key(|word| ["const", "volatile", "restrict", "&", "&&"].iter().position(|one| one == word));
        Qualifiers { words }
    }

    fn local(&mut self) -> Option<(Id, Qualifiers)> {
        self.expect("Z")?;
        let function = self.encoding(false)?;
        self.expect("E")?;
        if self.eat("s") {
            self.discriminator()?;
            let text = self.name_of("string literal")?;
            return Some((self.add(Node::Local(function, text))?, Qualifiers::default()));
        }
        if self.eat("d") {
            let number = self.sequence(10)? + 1;
            let (inner, qualifiers) = self.within(Self::name)?;
            let argument = self.add(Node::Name(format!("{{default arg#{number}}}")))?;
            let inner = self.add(Node::Nested(argument, inner))?;
            return Some((self.add(Node::Local(function, inner))?, qualifiers));
        }
        let (inner, qualifiers) = self.within(Self::name)?;
        self.discriminator()?;
        Some((self.add(Node::Local(function, inner))?, qualifiers))
    }

    fn discriminator(&mut self) -> Option<()> {
        if self.eat("__") {
            self.number()?;
            self.expect("_")
        } else if self.eat("_") {
            self.take(1).map(|_| ())
        } else {
            Some(())
        }
    }

    /// A name without scopes; constructors have that of the class that `scope` is.
    fn unqualified(&mut self, scope: Option<Id>) -> Option<Id> {
        self.eat("L");
        let mut name = match (self.peek(), self.second()) {
            (b'0'..=b'9', _) => self.source_name()?,
            (b'C', b'1'..=b'5' | b'I') => {
                let inherits = self.take(2)?.ends_with('I');
                if inherits {
                    self.next()?;
                    let of = self.within(Self::ty)?;
                    self.add(Node::Constructor("", of))?
                } else {
                    self.add(Node::Constructor("", scope?))?
                }
            }
            (b'D', b'0'..=b'5') => {
                self.take(2)?;
                self.add(Node::Constructor("~", scope?))?
            }
            (b'U', b'l') => self.lambda()?,
            (b'U', b't') => {
                self.take(2)?;
                let number = self.sequence(10)? + 1;
                self.add(Node::Name(format!("{{unnamed type#{number}}}")))?
            }
            (b'c', b'v') => {
                self.take(2)?;
                let ty = self.within(Self::ty)?;
                self.add(Node::Conversion(ty))?
            }
            (b'l', b'i') => {
                self.take(2)?;
                let length = self.number()?;
                let suffix = self.take(length)?;
                self.add(Node::Name(format!("operator\"\" {suffix}")))?
            }
            _ => {
                let sign = operator(self.take(2)?)?.sign;
                let blank = if sign.starts_with(char::is_alphabetic) { " " } else { "" };
                self.add(Node::Name(format!("operator{blank}{sign}")))?
            }
        };
        while self.eat("B") {
            let length = self.number()?;
            let tag = self.take(length)?.to_owned();
            name = self.add(Node::Tagged(name, tag))?;
        }
        Some(name)
    }

    pub(super) fn source_name(&mut self) -> Option<Id> {
        let length = self.number().filter(|length| *length > 0)?;
        let name = self.take(length)?;
        let anonymous = name.strip_prefix("_GLOBAL_").is_some_and(|rest| rest.get(1..2) == Some("N"));
        self.name_of(if anonymous { "(anonymous namespace)" } else { name })
    }

    fn lambda(&mut self) -> Option<Id> {
        self.expect("Ul")?;
        let parameters = self.parameters()?;
        self.expect("E")?;
        let number = self.sequence(10)? + 1;
        self.add(Node::Lambda(parameters, number))
    }
}
