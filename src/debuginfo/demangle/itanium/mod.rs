//! Demangles C++ names (Itanium C++ ABI, 5.1) and prints them as gdb does.

mod characters;
mod expressions;
mod names;
mod nodes;
mod operators;
mod parser;
mod print;
mod types;

/// A node of the graph.
type Id = usize;

/// Qualifiers of a member function, in the order in which they are written.
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
    /// An identifier, a type that the language has, an operator that is a name.
    Name(String),
    /// `a::b`.
    Nested(Id, Id),
    /// A name with arguments.
    Template(Id, Vec<Id>),
    /// The arguments that one parameter stands for.
    Pack(Vec<Id>),
    /// `T...`.
    Expansion(Id),
    /// A parameter of the template around, by number.
    Parameter(usize),
    /// A declaration within a function.
    Local(Id, Id),
    /// `operator T`.
    Conversion(Id),
    /// `C` of `C::C`, `~C`: the prefix, and the class it constructs.
    Constructor(&'static str, Id),
    /// `{lambda(int)#1}`.
    Lambda(Vec<Id>, usize),
    /// A name with a tag of the ABI.
    Tagged(Id, String),
    /// `vtable for X`.
    Special(&'static str, Id),
    /// `construction vtable for X-in-Y`.
    Within(Id, Id),
    /// A function, or with no parameters at all a variable.
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
    /// The number of elements as an expression, when it is said.
    Array(Option<Id>, Id),
    /// The class, and the type of the member.
    Member(Id, Id),
    /// A type, and digits that may begin with a minus.
    Literal(Id, String),
    Unary(&'static str, Id),
    Binary(&'static str, Id, Id),
    Call(Id, Vec<Id>),
    Cast(Id, Vec<Id>),
    /// `static_cast<T>(x)`.
    NamedCast(&'static str, Id, Id),
    /// A word and what follows it in parentheses: `sizeof (T)`.
    Word(&'static str, Id),
}

/// How much of a function is written beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The name with its scopes.
    Name,
    /// With parameters and qualifiers.
    Parameters,
    /// With the type that is returned as well, where the symbol says it.
    Whole,
}

/// A symbol of C++ in words; `None` for what is no such symbol, and for the little that is not read here.
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

/// `.isra.0.cold` as `.isra.0` and `.cold`.
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
