//! The slow part: parsing lines with the syntax of the file.

use super::{LineColours, scopes::role_of};
use crate::theme::Role;
use std::{ops::Range, path::Path, sync::Arc, sync::OnceLock};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// Lines parsed before the first wanted one. A comment or string that began earlier is taken for code.
const RUN_UP: u32 = 400;
/// Longer lines are data, not code: they stay plain.
const LONGEST: usize = 2_000;

/// A request to highlight lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The file's name in the debug information.
    pub file: Arc<str>,
    /// The text of the whole file.
    pub text: Arc<str>,
    /// Line numbers, counted from 1, end excluded.
    pub lines: Range<u32>,
}

/// A wish and the colours of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Painted {
    /// The request, to tell if the text has changed meanwhile.
    pub wish: Wish,
    /// One entry for each line of the request.
    pub lines: Vec<LineColours>,
}

fn syntaxes() -> &'static SyntaxSet {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    SYNTAXES.get_or_init(two_face::syntax::extra_newlines)
}

fn syntax_of(file: &str, text: &str) -> Option<&'static SyntaxReference> {
    let set = syntaxes();
    let path = Path::new(file);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let token = match extension {
        "cu" | "cuh" | "hip" | "ipp" | "tpp" | "cl" => "cpp",
        // C++ projects use this extension for headers too, and the C++ syntax covers C.
        "h" => "cpp",
        "F90" | "F95" | "F03" | "F08" | "f03" | "f08" => "f90",
        "F" | "for" | "FOR" | "ftn" => "f",
        other => other,
    };
    set.find_syntax_by_extension(token).or_else(|| set.find_syntax_by_first_line(text.lines().next().unwrap_or("")))
}

/// Finds the colours; text that cannot be parsed stays plain.
pub fn paint(wish: Wish) -> Painted {
    let plain = || wish.lines.clone().map(|_| Vec::new()).collect();
    let Some(syntax) = syntax_of(&wish.file, &wish.text) else { return Painted { lines: plain(), wish } };
    let first = wish.lines.start.saturating_sub(RUN_UP).max(1);
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut lines = Vec::new();
    let text = wish.text.split_inclusive('\n').enumerate().skip(first as usize - 1);
    for (index, line) in text.take_while(|(index, _)| (*index as u32) + 1 < wish.lines.end) {
        let wanted = index as u32 + 1 >= wish.lines.start;
        let mut colours = LineColours::new();
        let operations =
            if line.len() > LONGEST { Vec::new() } else { state.parse_line(line, syntaxes()).unwrap_or_default() };
        let length = line.trim_end_matches(['\n', '\r']).len();
        let mut begin = 0;
        for (at, operation) in &operations {
            if *at > begin {
                push(&mut colours, (*at).min(length), role_of(&stack));
                begin = *at;
            }
            // An error here means that the syntax definition pops more than it pushed: the line continues with the
            // stack as it is.
            let _ = stack.apply(operation);
        }
        if wanted {
            push(&mut colours, length, role_of(&stack));
            lines.push(colours);
        }
    }
    Painted { wish, lines }
}

fn push(colours: &mut LineColours, end: usize, role: Role) {
    match colours.last_mut() {
        None if end == 0 => {}
        Some(last) if last.0 >= end => {}
        Some(last) if last.1 == role => last.0 = end,
        _ => colours.push((end, role)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(file: &str, text: &str, line: u32) -> Vec<(String, Role)> {
        let painted = paint(Wish { file: file.into(), text: text.into(), lines: line..line + 1 });
        let source = text.lines().nth(line as usize - 1).unwrap();
        let mut begin = 0;
        let mut found = Vec::new();
        for &(end, role) in &painted.lines[0] {
            found.push((source[begin..end].trim().to_owned(), role));
            begin = end;
        }
        found
    }

    #[test]
    fn languages_of_parallel_programs_have_colours() {
        let c = pieces("a.c", "int f(void) { return 12; } // why\n", 1);
        for wanted in [
            ("int", Role::CodeType),
            ("return", Role::CodeKeyword),
            ("12", Role::CodeNumber),
            ("f", Role::CodeFunction),
        ] {
            assert!(c.contains(&(wanted.0.to_owned(), wanted.1)), "{wanted:?} in {c:?}");
        }
        assert_eq!(c.last().unwrap(), &("// why".to_owned(), Role::CodeComment));
        for (file, text, word) in [
            ("k.cu", "return 1;", "return"),
            ("s.f90", "subroutine x", "subroutine"),
            ("s.F", "      subroutine x", "subroutine"),
            ("m.rs", "fn main() {}", "fn"),
            ("h.hpp", "class A;", "class"),
        ] {
            let found = pieces(file, text, 1);
            assert!(found.iter().any(|piece| piece.0.contains(word) && piece.1 != Role::Text), "{file}: {found:?}");
        }
        assert_eq!(pieces("notes.xyz", "plain words", 1), []);
    }

    #[test]
    fn a_comment_over_lines_is_one() {
        assert_eq!(pieces("a.c", "/* one\n two\n*/ int x;\n", 2), [("two".to_owned(), Role::CodeComment)]);
    }
}
