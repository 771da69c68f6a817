//! Types, arguments of templates and what refers back (Itanium C++ ABI, 5.1.5, 5.1.10).

use super::parser::Parser;
use super::{Id, Node, Qualifiers};

/// Types that the language has, by their letter.
const BUILT_IN: &[(u8, &str)] = &[
    (b'v', "void"),
    (b'w', "wchar_t"),
    (b'b', "bool"),
    (b'c', "char"),
    (b'a', "signed char"),
    (b'h', "unsigned char"),
    (b's', "short"),
    (b't', "unsigned short"),
    (b'i', "int"),
    (b'j', "unsigned int"),
    (b'l', "long"),
    (b'm', "unsigned long"),
    (b'x', "long long"),
    (b'y', "unsigned long long"),
    (b'n', "__int128"),
    (b'o', "unsigned __int128"),
    (b'f', "float"),
    (b'd', "double"),
    (b'e', "long double"),
    (b'g', "__float128"),
    (b'z', "..."),
];

/// Those of two letters, by the second.
const BUILT_IN_TWICE: &[(u8, &str)] = &[
    (b'd', "decimal64"),
    (b'e', "decimal128"),
    (b'f', "decimal32"),
    (b'h', "half"),
    (b'i', "char32_t"),
    (b's', "char16_t"),
    (b'u', "char8_t"),
    (b'a', "auto"),
    (b'c', "decltype(auto)"),
    (b'n', "decltype(nullptr)"),
];

/// Names of the library that have letters of their own: short, and in full where a constructor follows.
const ABBREVIATIONS: &[(u8, &str, &str)] = &[
    (b'a', "std::allocator", "std::allocator"),
    (b'b', "std::basic_string", "std::basic_string"),
    (b's', "std::string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >"),
    (b'i', "std::istream", "std::basic_istream<char, std::char_traits<char> >"),
    (b'o', "std::ostream", "std::basic_ostream<char, std::char_traits<char> >"),
    (b'd', "std::iostream", "std::basic_iostream<char, std::char_traits<char> >"),
];

impl Parser<'_> {
    pub(super) fn ty(&mut self) -> Option<Id> {
        self.within(Self::ty_of)
    }

    fn ty_of(&mut self) -> Option<Id> {
        let first = self.peek();
        if let Some((_, name)) = BUILT_IN.iter().find(|(letter, _)| *letter == first) {
            self.next();
            return self.name_of(name);
        }
        let id = match (first, self.second()) {
            (b'r' | b'V' | b'K', _) => self.qualified()?,
            (b'P', _) => self.pointer("*")?,
            (b'R', _) => self.pointer("&")?,
            (b'O', _) => self.pointer("&&")?,
            (b'C', _) => {
                self.next();
                let of = self.ty()?;
                self.add(Node::Qualified("_Complex", of))?
            }
            (b'F', _) | (b'D', b'o') => self.function(Qualifiers::default())?,
            (b'A', _) => self.array()?,
            (b'M', _) => {
                self.next();
                let class = self.ty()?;
                let member = self.ty()?;
                self.add(Node::Member(class, member))?
            }
            (b'T', b's' | b'u' | b'e') => {
                self.take(2)?;
                self.name()?.0
            }
            (b'T', _) => {
                let parameter = self.template_parameter()?;
                if self.peek() != b'I' {
                    return Some(self.remember(parameter));
                }
                self.remember(parameter);
                self.with_arguments(parameter)?
            }
            (b'S', second) if second != b't' => {
                let of = self.substitution(false)?;
                if self.peek() != b'I' {
                    return Some(of);
                }
                self.with_arguments(of)?
            }
            (b'D', b't' | b'T') => self.decltype()?,
            (b'D', b'p') => {
                self.take(2)?;
                let of = self.ty()?;
                self.add(Node::Expansion(of))?
            }
            (b'D', letter) => {
                self.take(2)?;
                let (_, name) = BUILT_IN_TWICE.iter().find(|(own, _)| *own == letter)?;
                return self.name_of(name);
            }
            (b'u', _) => {
                self.next();
                self.source_name()?
            }
            _ => self.name()?.0,
        };
        Some(self.remember(id))
    }

    fn pointer(&mut self, sign: &'static str) -> Option<Id> {
        self.next();
        let of = self.ty()?;
        self.add(Node::Pointer(sign, of))
    }

    fn qualified(&mut self) -> Option<Id> {
        let mut words = Vec::new();
        for (letter, word) in [("r", "restrict"), ("V", "volatile"), ("K", "const")] {
            if self.eat(letter) {
                words.push(word);
            }
        }
        if self.peek() == b'F' {
            words.reverse();
            return self.function(Qualifiers { words });
        }
        let mut ty = self.ty()?;
        for word in words.into_iter().rev() {
            ty = self.add(Node::Qualified(word, ty))?;
        }
        Some(ty)
    }

    fn function(&mut self, mut qualifiers: Qualifiers) -> Option<Id> {
        let never_throws = self.eat("Do");
        self.expect("F")?;
        self.eat("Y");
        let returns = self.ty()?;
        let parameters = self.parameters()?;
        for (letter, word) in [("R", "&"), ("O", "&&")] {
            if self.eat(letter) {
                qualifiers.words.push(word);
            }
        }
        if never_throws {
            qualifiers.words.push("noexcept");
        }
        self.expect("E")?;
        self.add(Node::Function { returns, parameters, qualifiers })
    }

    fn array(&mut self) -> Option<Id> {
        self.next();
        let count = match self.peek() {
            b'_' => None,
            b'0'..=b'9' => {
                let digits = self.digits()?;
                Some(self.name_of(digits)?)
            }
            _ => Some(self.expression()?),
        };
        self.expect("_")?;
        let element = self.ty()?;
        self.add(Node::Array(count, element))
    }

    pub(super) fn decltype(&mut self) -> Option<Id> {
        self.take(2)?;
        let expression = self.expression()?;
        self.expect("E")?;
        self.add(Node::Word("decltype ", expression))
    }

    pub(super) fn template_parameter(&mut self) -> Option<Id> {
        self.expect("T")?;
        let number = self.sequence(10)?;
        self.add(Node::Parameter(number))
    }

    /// What was there before, or is in a header that everybody includes.
    pub(super) fn substitution(&mut self, in_prefix: bool) -> Option<Id> {
        self.expect("S")?;
        let letter = self.peek();
        let Some((_, short, full)) = ABBREVIATIONS.iter().find(|(own, _, _)| *own == letter) else {
            let number = self.sequence(36)?;
            return self.substitutions.get(number).copied();
        };
        self.next();
        let made = in_prefix && matches!(self.peek(), b'C' | b'D');
        let mut id = self.name_of(if made { full } else { short })?;
        while self.eat("B") {
            let length = self.number()?;
            let tag = self.take(length)?.to_owned();
            id = self.add(Node::Tagged(id, tag))?;
            self.remember(id);
        }
        Some(id)
    }

    /// Arguments of a template, with their letters around them.
    pub(super) fn arguments(&mut self) -> Option<Vec<Id>> {
        self.expect("I")?;
        self.until_end(Self::argument)
    }

    fn argument(&mut self) -> Option<Id> {
        match self.peek() {
            b'L' => self.literal(),
            b'X' => {
                self.next();
                let expression = self.expression()?;
                self.expect("E")?;
                Some(expression)
            }
            b'J' | b'I' => {
                self.next();
                let all = self.within(|parser| parser.until_end(Self::argument))?;
                self.add(Node::Pack(all))
            }
            _ => self.ty(),
        }
    }
}
