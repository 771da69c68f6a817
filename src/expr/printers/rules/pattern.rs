//! Patterns of type names: `std::vector<*>`, `Map<int, *>::Node`, `GList *`.

use crate::context::EvalContext;
use debuginfo::template_parts;
use debuginfo::types::TypeRef;

/// A pattern of type names.
#[derive(Debug)]
pub(super) struct TypePattern {
    name: Name,
    /// True for the pointers to the types that the name fits.
    pub(super) is_pointer: bool,
}

#[derive(Debug)]
enum Pattern {
    /// `*`: anything.
    Any,
    Name(Name),
}

#[derive(Debug)]
struct Name {
    /// Without blanks, up to the template arguments.
    head: String,
    arguments: Option<Vec<Pattern>>,
    /// What follows the arguments.
    rest: Option<Box<Name>>,
}

/// What a `*` of a pattern stands for.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    pub(super) text: String,
    /// The type, if it is one and known.
    pub(super) ty: Option<TypeRef>,
}

/// Deepest nesting of template arguments in a pattern.
const DEEPEST: u32 = 16;

/// Removes the blanks around signs: compilers differ in them.
fn squeezed(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut signs = text.trim().chars().peekable();
    while let Some(c) = signs.next() {
        let between = out.chars().last().is_some_and(is_word) && signs.peek().is_some_and(|next| is_word(*next));
        if c != ' ' || between {
            out.push(c);
        }
    }
    out
}

/// Returns a name up to its template arguments, as patterns are found by it.
pub(super) fn head(name: &str) -> String {
    squeezed(name.split('<').next().unwrap_or(name))
}

impl TypePattern {
    /// Parses a pattern; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let target = text.strip_suffix('*').map(str::trim_end).filter(|target| !target.is_empty());
        let name = Name::parse(target.unwrap_or(text), 0).ok_or_else(|| format!("{text:?} is no type name"))?;
        Ok(Self { name, is_pointer: target.is_some() })
    }

    /// The name that a type has up to its template arguments.
    pub(super) fn head(&self) -> &str {
        &self.name.head
    }

    /// The number of `*` that stand for an argument.
    pub(super) fn wildcards(&self) -> usize {
        self.name.wildcards()
    }

    /// Returns what each `*` stands for in the name of a type; `None` if it does not fit.
    pub(super) fn captures(&self, name: &str, ty: &TypeRef, context: &EvalContext<'_>) -> Option<Vec<Capture>> {
        let mut captures = Vec::new();
        self.name.fits(name, Some(ty), context, &mut captures).then_some(captures)
    }
}

impl Name {
    fn parse(text: &str, depth: u32) -> Option<Self> {
        if depth > DEEPEST || text.is_empty() {
            return None;
        }
        let Some((head, arguments, rest)) = template_parts(text) else {
            let is_whole = !text.contains(['<', '>', '*', '(', '"']);
            return is_whole.then(|| Self { head: squeezed(text), arguments: None, rest: None });
        };
        let argument = |argument: &&str| match argument.trim() {
            "*" => Some(Pattern::Any),
            text => Some(Pattern::Name(Self::parse_argument(text, depth + 1)?)),
        };
        let arguments = arguments.iter().map(argument).collect::<Option<Vec<_>>>()?;
        let rest = rest.trim();
        let rest = if rest.is_empty() { None } else { Some(Box::new(Self::parse(rest, depth + 1)?)) };
        Some(Self { head: squeezed(head), arguments: Some(arguments), rest })
    }

    /// An argument may be any type or number: only its template arguments are taken apart.
    fn parse_argument(text: &str, depth: u32) -> Option<Self> {
        let whole = || (depth <= DEEPEST).then(|| Self { head: squeezed(text), arguments: None, rest: None });
        Self::parse(text, depth).or_else(whole)
    }

    fn wildcards(&self) -> usize {
        let own = self.arguments.iter().flatten().map(|argument| match argument {
            Pattern::Any => 1,
            Pattern::Name(name) => name.wildcards(),
        });
        own.sum::<usize>() + self.rest.as_ref().map_or(0, |rest| rest.wildcards())
    }

    fn fits(&self, name: &str, ty: Option<&TypeRef>, context: &EvalContext<'_>, captures: &mut Vec<Capture>) -> bool {
        let Some(patterns) = &self.arguments else { return squeezed(name) == self.head };
        let Some((head, arguments, rest)) = template_parts(name) else { return false };
        if squeezed(head) != self.head {
            return false;
        }
        // A `*` at the end also stands for all further arguments.
        let is_open = matches!(patterns.last(), Some(Pattern::Any));
        let enough = if is_open { arguments.len() + 1 >= patterns.len() } else { arguments.len() == patterns.len() };
        if !enough {
            return false;
        }
        let types = argument_types(&arguments, ty.filter(|_| rest.trim().is_empty()), context);
        let pairs = patterns.iter().zip(arguments.iter().zip(types));
        for (pattern, (text, ty)) in pairs {
            match pattern {
                Pattern::Any => captures.push(Capture { text: (*text).to_owned(), ty }),
                Pattern::Name(name) => {
                    if !name.fits(text, ty.as_ref(), context, captures) {
                        return false;
                    }
                }
            }
        }
        // One that stands for no argument keeps the numbers of the others.
        if is_open && arguments.len() < patterns.len() {
            captures.push(Capture { text: String::new(), ty: None });
        }
        match (&self.rest, rest.trim()) {
            (None, "") => true,
            (Some(pattern), rest) if !rest.is_empty() => pattern.fits(rest, ty, context, captures),
            _ => false,
        }
    }
}

/// Returns the types of template arguments, where they are types.
fn argument_types(arguments: &[&str], ty: Option<&TypeRef>, context: &EvalContext<'_>) -> Vec<Option<TypeRef>> {
    let known = ty.map(|ty| context.symbols().template_arguments(ty)).unwrap_or_default();
    let are_types: Vec<bool> = arguments.iter().map(|argument| !is_value(argument)).collect();
    let count = are_types.iter().filter(|is_type| **is_type).count();
    let mut known = known.into_iter();
    let is_complete = known.len() == count;
    let one = |(argument, is_type): (&&str, bool)| match (is_type, is_complete) {
        (true, true) => known.next(),
        (true, false) => context.symbols().type_named(argument),
        (false, _) => None,
    };
    arguments.iter().zip(are_types).map(one).collect()
}

/// True for a template argument that is a number, a truth value or the like.
fn is_value(argument: &str) -> bool {
    argument.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '(' | '&' | '\'' | '"' | '{'))
        || matches!(argument, "true" | "false" | "nullptr")
}

impl Capture {
    /// Returns the number that it stands for: `4`, `4ul`, `(unsigned char)4`, `true`.
    pub(super) fn number(&self) -> Option<i128> {
        let text = self.text.trim();
        match text {
            "true" => return Some(1),
            "false" => return Some(0),
            _ => {}
        }
        let text =
            text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(text, |(_, number)| number.trim());
        text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::table::Table;

    fn captured(pattern: &str, name: &str) -> Option<Vec<String>> {
        let table = Table::default();
        let captures = TypePattern::parse(pattern).unwrap().captures(name, &TypeRef::Void, &table.context())?;
        Some(captures.into_iter().map(|one| one.text).collect())
    }

    #[test]
    fn a_star_stands_for_an_argument_and_the_last_one_for_all_further() {
        let of = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(captured("A<*>", "A<int>"), of(&["int"]));
        assert_eq!(captured("A<*>", "A<int, B<char, 3> >"), of(&["int"]));
        assert_eq!(captured("A<*, *>", "A<B<char, 3>, 4ul, x>"), of(&["B<char, 3>", "4ul"]));
        assert_eq!(captured("A<*, *>", "A<int>"), of(&["int", ""]));
        assert_eq!(captured("A<B<*>, int>", "A<B<char const*>, int>"), of(&["char const*"]));
        assert_eq!(captured("A<B<*>, int>", "A<C<char>, int>"), None);
        assert_eq!(captured("A<*>::N", "A<int>::N"), of(&["int"]));
        assert_eq!(captured("A<*>::N", "A<int>"), None);
        assert_eq!(captured("A<*>", "A<int>::N"), None);
        assert_eq!(captured("A< * >::N<3>", "A<int>::N<3>"), of(&["int"]));
        assert_eq!(captured("A<unsigned long>", "A<unsigned  long>"), of(&[]));
        assert_eq!(captured("A<unsigned long>", "A<unsignedlong>"), None);
        assert_eq!(captured("A<char const *>", "A<char const*>"), of(&[]));
        assert_eq!(captured("A", "A"), of(&[]));
        assert_eq!(captured("A", "A<int>"), None);
        assert_eq!(captured("_GList *", "_GList"), of(&[]));
    }

    #[test]
    fn bad_patterns_are_refused() {
        for text in ["", "*", "A<", "<*>", "A>", "A<*> *x"] {
            assert!(TypePattern::parse(text).is_err(), "{text}");
        }
        assert!(TypePattern::parse("A<*> *").unwrap().is_pointer);
        let _ = TypePattern::parse(&format!("{}int{}", "A<".repeat(10_000), ">".repeat(10_000)));
    }

    #[test]
    fn arguments_that_are_numbers_are_read() {
        let number = |text: &str| Capture { text: text.to_owned(), ty: None }.number();
        assert_eq!([number("4ul"), number("-3"), number("(unsigned char)7"), number("true")], [4, -3, 7, 1].map(Some));
        assert_eq!(number("int"), None);
    }
}
