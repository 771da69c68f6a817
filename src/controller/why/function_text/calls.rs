//! The calls in the text of a function of C or C++.

use crate::why::call_text::Language;
use crate::why::tokens::{SourceText, Token, before, behind, closing, places};

/// The calls in a function's body.
pub(in crate::why) struct Calls<'a> {
    source: &'a SourceText<'a>,
    body: &'a [Token<'a>],
    /// The places of calls, and of the parentheses that end them.
    all: Vec<(usize, usize)>,
}

/// Words before a parenthesis that call nothing.
const KEYWORDS: [&str; 6] = ["if", "for", "while", "switch", "return", "sizeof"];

/// Functions without arguments that only read, of the objects that they are called on.
const ACCESSORS: [&str; 5] = ["data", "size", "get", "begin", "c_str"];

/// Words of types whose variables have the values of integer expressions.
pub(in crate::why) const TYPES: [&str; 6] = ["int", "long", "unsigned", "size_t", "int64_t", "int32_t"];

impl<'a> Calls<'a> {
    /// `None` if a call does not end.
    pub(in crate::why) fn new(source: &'a SourceText<'a>, body: &'a [Token<'a>]) -> Option<Self> {
        let is_call = |at: &usize| {
            let word = body.get(*at).filter(|token| token.is_word());
            word.is_some_and(|word| !KEYWORDS.contains(&word.text)) && behind(body, *at) == "("
        };
        let calls = (0..body.len()).filter(is_call).map(|at| Some((at, closing(body, at + 1)?)));
        Some(Self { source, body, all: calls.collect::<Option<_>>()? })
    }

    /// True within the parentheses of such a call. Calls of MPI take values in C++, too.
    pub(in crate::why) fn are_around(&self, at: usize, of: impl Fn(&str) -> bool) -> bool {
        self.all
            .iter()
            .any(|(call, end)| *call < at && at < *end && self.body.get(*call).is_some_and(|call| of(call.text)))
    }

    /// Returns the text before the name of a function that is called on a line, such as `world.`; empty for a function
    /// of the same object, or of none. `None` if it is not certain.
    pub(in crate::why) fn object_of(&self, name: &str, line: u32) -> Option<String> {
        let line_of = |at: usize| self.body.get(at).map_or(0, |token| token.line);
        let is_there =
            |at: &usize| line_of(*at) <= line && closing(self.body, at + 1).is_some_and(|end| line <= line_of(end));
        let found: Vec<usize> = places(self.body, name).into_iter().filter(is_there).collect();
        let [at] = found.as_slice() else { return None };
        let sign = before(self.body, *at);
        match sign {
            "." | "->" => {
                let object = at.checked_sub(2)?;
                let is_whole = !matches!(before(self.body, object), "." | "->" | "::");
                let word = self.body.get(object).filter(|word| word.is_word() && is_whole)?.text;
                Some(if word == "this" { String::new() } else { format!("{word}{sign}") })
            }
            "::" => None,
            _ => Some(String::new()),
        }
    }

    /// True if the function calls only MPI, the function of the given name, and what is around that call.
    pub(in crate::why) fn are_harmless(&self, name: &str) -> bool {
        let inner: Vec<usize> = places(self.body, name);
        // Others of the name may be other functions in C++.
        let is_certain = self.source.language == Language::C || inner.len() == 1;
        let is_harmless = |call: usize, end: usize| {
            let word = self.body.get(call).map_or("", |call| call.text);
            let is_accessor =
                matches!(before(self.body, call), "." | "->") && end == call + 2 && ACCESSORS.contains(&word);
            let is_it_or_around =
                inner.iter().any(|inner| call <= *inner && *inner < end && (is_certain || call < *inner));
            is_of_mpi(word) || TYPES.contains(&word) || is_accessor || is_it_or_around
        };
        let by_pointer = |at: &usize| match before(self.body, *at) {
            ")" | "]" => true,
            ">" => !self.is_cast(at - 1),
            _ => false,
        };
        let opens = (0..self.body.len()).filter(|at| self.body.get(*at).is_some_and(|token| token.text == "("));
        opens.into_iter().all(|at| !by_pointer(&at)) && self.all.iter().all(|(call, end)| is_harmless(*call, *end))
    }

    /// True for the sign that ends the type of `static_cast<int>`.
    fn is_cast(&self, end: usize) -> bool {
        let begin = (0..end).rev().take(8).find(|at| self.body.get(*at).is_some_and(|token| token.text == "<"));
        begin.is_some_and(|begin| matches!(before(self.body, begin), "static_cast" | "reinterpret_cast" | "const_cast"))
    }
}

pub(in crate::why) fn is_of_mpi(name: &str) -> bool {
    name.starts_with("MPI_") || name.starts_with("PMPI_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_methods_name_their_objects() {
        const METHODS: &str = "\
void Step::run() const noexcept
{
    if (a) world.send(b); else this->send(c);
    world.send(b,
               d);
    link->send(b);
    this->send(b);
    send(b);
    Base::send(b);
    all.first.send(b);
    f()->send(b);
}
";
        let source = SourceText::new("a.c", METHODS);
        let calls = Calls::new(&source, &source.tokens).unwrap();
        for (line, expected) in [
            (3, None),
            (4, Some("world.")),
            (5, Some("world.")),
            (6, Some("link->")),
            (7, Some("")),
            (8, Some("")),
            (9, None),
            (10, None),
            (11, None),
        ] {
            let found = calls.object_of("send", line);
            assert_eq!(found.as_deref(), expected, "{line}");
        }
    }
}
