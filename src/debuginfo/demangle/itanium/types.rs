//! Types, template arguments and substitutions (Itanium C++ ABI, 5.1.5, 5.1.10).

use super::parser::Parser;
use super::{Id, Node, Qualifiers};

/// Built-in types, by letter.
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

/// Built-in types of two letters, by the second.
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

/// Library names that have their own letters: the short form, and the full form used before a constructor.
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
        let first = self.text.peek();
        if let Some((_, name)) = BUILT_IN.iter().find(|(letter, _)| *letter == first) {
            self.text.next();
            return self.nodes.name_of(name);
        }
        let id = match (first, self.text.second()) {
            (b'r' | b'V' | b'K', _) => self.qualified()?,
            (b'P', _) => self.pointer("*")?,
            (b'R', _) => self.pointer("&")?,
            (b'O', _) => self.pointer("&&")?,
            (b'C', _) => {
                self.text.next();
                let of = self.ty()?;
                self.nodes.add(Node::Qualified("_Complex", of))?
            }
            (b'F', _) | (b'D', b'o') => self.function(Qualifiers::default())?,
            (b'A', _) => self.array()?,
            (b'M', _) => {
                self.text.next();
                let class = self.ty()?;
                let member = self.ty()?;
                self.nodes.add(Node::Member(class, member))?
            }
            (b'T', b's' | b'u' | b'e') => {
                self.text.take(2)?;
                self.name()?.0
            }
            (b'T', _) => {
                let parameter = self.template_parameter()?;
                if self.text.peek() != b'I' {
                    return Some(self.nodes.remember(parameter));
                }
                self.nodes.remember(parameter);
                self.with_arguments(parameter)?
            }
            (b'S', second) if second != b't' => {
                let of = self.substitution(false)?;
                if self.text.peek() != b'I' {
                    return Some(of);
                }
                self.with_arguments(of)?
            }
            (b'D', b't' | b'T') => self.decltype()?,
            (b'D', b'p') => {
                self.text.take(2)?;
                let of = self.ty()?;
                self.nodes.add(Node::Expansion(of))?
            }
            (b'D', letter) => {
                self.text.take(2)?;
                let (_, name) = BUILT_IN_TWICE.iter().find(|(own, _)| *own == letter)?;
                return self.nodes.name_of(name);
            }
            (b'u', _) => {
                self.text.next();
                self.source_name()?
            }
            _ => self.name()?.0,
        };
        Some(self.nodes.remember(id))
    }

    fn pointer(&mut self, sign: &'static str) -> Option<Id> {
        self.text.next();
        let of = self.ty()?;
        self.nodes.add(Node::Pointer(sign, of))
    }

    fn qualified(&mut self) -> Option<Id> {
        let mut words = Vec::new();
        for (letter, word) in [("r", "restrict"), ("V", "volatile"), ("K", "const")] {
            if self.text.eat(letter) {
                words.push(word);
            }
        }
        if self.text.peek() == b'F' {
            words.reverse();
            return self.function(Qualifiers { words });
        }
        let mut ty = self.ty()?;
        for word in words.into_iter().rev() {
            ty = self.nodes.add(Node::Qualified(word, ty))?;
        }
        Some(ty)
    }

    fn function(&mut self, mut qualifiers: Qualifiers) -> Option<Id> {
        let never_throws = self.text.eat("Do");
        self.text.expect("F")?;
        self.text.eat("Y");
        let returns = self.ty()?;
        let parameters = self.parameters()?;
        for (letter, word) in [("R", "&"), ("O", "&&")] {
            if self.text.eat(letter) {
                qualifiers.words.push(word);
            }
        }
        if never_throws {
            qualifiers.words.push("noexcept");
        }
        self.text.expect("E")?;
        self.nodes.add(Node::Function { returns, parameters, qualifiers })
    }

    fn array(&mut self) -> Option<Id> {
        self.text.next();
        let count = match self.text.peek() {
            b'_' => None,
            b'0'..=b'9' => {
                let digits = self.text.digits()?;
                Some(self.nodes.name_of(digits)?)
            }
            _ => Some(self.expression()?),
        };
        self.text.expect("_")?;
        let element = self.ty()?;
        self.nodes.add(Node::Array(count, element))
    }

    pub(super) fn decltype(&mut self) -> Option<Id> {
        self.text.take(2)?;
        let expression = self.expression()?;
        self.text.expect("E")?;
        self.nodes.add(Node::Word("decltype ", expression))
    }

    pub(super) fn template_parameter(&mut self) -> Option<Id> {
        self.text.expect("T")?;
        let number = self.text.sequence(10)?;
        self.nodes.add(Node::Parameter(number))
    }

    /// Reads a substitution: an earlier node, or an abbreviation of the library.
    pub(super) fn substitution(&mut self, in_prefix: bool) -> Option<Id> {
        self.text.expect("S")?;
        let letter = self.text.peek();
        let Some((_, short, full)) = ABBREVIATIONS.iter().find(|(own, _, _)| *own == letter) else {
            let number = self.text.sequence(36)?;
            return self.nodes.substitution(number);
        };
        self.text.next();
        let made = in_prefix && matches!(self.text.peek(), b'C' | b'D');
        let mut id = self.nodes.name_of(if made { full } else { short })?;
        while self.text.eat("B") {
            let length = self.text.number()?;
            let tag = self.text.take(length)?.to_owned();
            id = self.nodes.add(Node::Tagged(id, tag))?;
            self.nodes.remember(id);
        }
        Some(id)
    }

    /// Reads template arguments, including the letters around them.
    pub(super) fn arguments(&mut self) -> Option<Vec<Id>> {
        self.text.expect("I")?;
        self.until_end(Self::argument)
    }

    fn argument(&mut self) -> Option<Id> {
        match self.text.peek() {
            b'L' => self.literal(),
            b'X' => {
                self.text.next();
                let expression = self.expression()?;
                self.text.expect("E")?;
                Some(expression)
            }
            b'J' | b'I' => {
                self.text.next();
                let all = self.within(|parser| parser.until_end(Self::argument))?;
                self.nodes.add(Node::Pack(all))
            }
            _ => self.ty(),
        }
    }
}
