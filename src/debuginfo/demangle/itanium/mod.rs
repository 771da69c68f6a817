//! Demangles C++ names (Itanium C++ ABI, 5.1) and prints them as gdb does.

mod characters;
mod expressions;
mod names;
mod nodes;
mod operators;
mod parser;
mod print;
mod types;

/// The index of a node in the graph.
type Id = usize;

/// Qualifiers of a member function, in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Qualifiers {
    words: Vec<&'static str>,
}

impl Qualifiers {
    fn text(&self) -> String {
        self.words.iter().fold(String::new(), |text, word| text + " " + word)
    }
}

/// A name, a type, or an expression.
#[derive(Clone, Debug)]
enum Node {
    /// An identifier, a built-in type, or a named operator.
    Name(String),
    /// `a::b`.
    Nested(Id, Id),
    /// A name with template arguments.
    Template(Id, Vec<Id>),
    /// The arguments of one parameter pack.
    Pack(Vec<Id>),
    /// `T...`.
    Expansion(Id),
    /// A template parameter, by number.
    Parameter(usize),
    /// A declaration within a function.
    Local(Id, Id),
    /// `operator T`.
    Conversion(Id),
    /// `C` of `C::C`, `~C`: the prefix, and the class it constructs.
    Constructor(&'static str, Id),
    /// `{lambda(int)#1}`.
    Lambda(Vec<Id>, usize),
    /// A name with an ABI tag.
    Tagged(Id, String),
    /// `vtable for X`.
    Special(&'static str, Id),
    /// `construction vtable for X-in-Y`.
    Within(Id, Id),
    /// A function, or a variable if `parameters` is `None`.
    Encoding {
        name: Id,
        returns: Option<Id>,
        parameters: Option<Vec<Id>>,
        qualifiers: Qualifiers,
    },
    /// `*`, `&`, `&&`.
    Pointer(&'static str, Id),
    Qualified(&'static str, Id),
    Function {
        returns: Id,
        parameters: Vec<Id>,
        qualifiers: Qualifiers,
    },
    /// The size as an expression, if given, and the element type.
    Array(Option<Id>, Id),
    /// A pointer to member: the class, and the type of the member.
    Member(Id, Id),
    /// A type, and digits with an optional minus.
    Literal(Id, String),
    Unary(&'static str, Id),
    Binary(&'static str, Id, Id),
    Call(Id, Vec<Id>),
    Cast(Id, Vec<Id>),
    /// `static_cast<T>(x)`.
    NamedCast(&'static str, Id, Id),
    /// A keyword and its operand in parentheses: `sizeof (T)`.
    Word(&'static str, Id),
}

/// The parts of a function's signature to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The name with its scopes.
    Name,
    /// Also parameters and qualifiers.
    Parameters,
    /// Also the return type, if the symbol has it.
    Whole,
}

/// Demangles a C++ symbol; `None` if it is none, or uses one of the few unsupported forms.
pub(crate) fn in_words(symbol: &str, extent: Extent) -> Option<String> {
    let (mangled, clone) = symbol.split_at_checked(symbol.find('.').unwrap_or(symbol.len()))?;
    let mut parser = parser::Parser::new(mangled.strip_prefix("_Z")?.as_bytes());
    let encoding = parser.encoding(true)?;
    if !parser.text.at_end() {
        return None;
    }
    let text = print::Printer::new(parser.nodes.all()).symbol(encoding, extent)?;
    Some(match extent {
        Extent::Name => text,
        _ if clone.is_empty() => text,
        _ => clones(clone).iter().fold(text, |text, clone| format!("{text} [clone {clone}]")),
    })
}

/// Splits `.isra.0.cold` into `.isra.0` and `.cold`.
fn clones(suffix: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in suffix.split('.').skip(1) {
        match all.last_mut() {
            Some(last) if part.bytes().all(|byte| byte.is_ascii_digit()) => *last += &format!(".{part}"),
            _ => all.push(format!(".{part}")),
        }
    }
    all
}

#[cfg(test)]
mod installed;
#[cfg(test)]
mod tests;
