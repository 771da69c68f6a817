//! The text of a function of C or C++: its parameters, and which of its variables keep the value that they are given.

mod calls;
pub(super) mod name;

use super::call_text::Language;
use super::tokens::{SourceText, Token, before, behind, closing, is_of_word, joined, places};
use calls::{Calls, TYPES, is_of_mpi};

/// A function by its text.
pub(super) struct FunctionText<'a> {
    source: &'a SourceText<'a>,
    parameters: Vec<&'a [Token<'a>]>,
    body: &'a [Token<'a>],
    calls: Calls<'a>,
}

/// Longer functions are not looked through: it would take too long.
const LONGEST: usize = 1 << 14;

const ASSIGNMENTS: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// Words before a name that do not declare it.
const NO_TYPES: [&str; 5] = ["return", "case", "else", "goto", "sizeof"];

/// Words between the parameters and the body of a function of C++.
const QUALIFIERS: [&str; 4] = ["const", "noexcept", "override", "final"];

impl<'a> FunctionText<'a> {
    /// Finds the function of a name around a line. `None` if it is not certain, as where the preprocessor chooses the
    /// text.
    pub(super) fn around(source: &'a SourceText<'a>, line: u32, name: &str) -> Option<Self> {
        let all = source.tokens.as_slice();
        let mut found = None;
        for at in places(all, name) {
            let Some(end) = closing(all, at + 1) else { continue };
            let is_qualifier = |at: &usize| all.get(*at).is_some_and(|token| QUALIFIERS.contains(&token.text));
            let open = (end + 1..).find(|at| !is_qualifier(at)).unwrap_or(end);
            let Some(begin) = all.get(open).filter(|token| token.text == "{") else { continue };
            let Some(last) = closing(all, open) else { continue };
            if begin.line > line || all.get(last)?.line < line {
                continue;
            }
            if found.is_some() || all.get(at..last)?.iter().any(|token| token.text == "#") {
                return None;
            }
            let parameters = all.get(at + 2..end)?.split(|token| token.text == ",").collect();
            found = Some((parameters, all.get(open + 1..last)?));
        }
        let (parameters, body) = found.filter(|(_, body): &(_, &[Token<'_>])| body.len() <= LONGEST)?;
        Some(Self { source, parameters, body, calls: Calls::new(source, body)? })
    }

    pub(super) fn calls(&self) -> &Calls<'a> {
        &self.calls
    }

    /// The number of parameters.
    pub(super) fn arity(&self) -> usize {
        self.parameters.len()
    }

    /// Returns the place of a parameter that has the value with which it was passed.
    pub(super) fn steady_parameter(&self, name: &str) -> Option<usize> {
        let place = self.parameter(name)?;
        let kind = self.parameters.get(place)?.iter().rev().nth(1)?;
        // Others may not have the value of an integer expression that was passed.
        let is_kept = TYPES.contains(&kind.text) || kind.text.starts_with("MPI_");
        (is_kept && !self.is_changed(name, None) && self.declarations(name).is_empty()).then_some(place)
    }

    /// Returns the expression that a variable had the value of when it was declared before a line, if it has kept it, and
    /// the expression has its value still.
    pub(super) fn steady_initializer(&self, name: &str, line: u32, call: &str) -> Option<String> {
        let declared = self.declarations(name);
        let [at] = declared.as_slice() else { return None };
        let kind = self.body.get(at.checked_sub(1)?)?;
        let starts = self.behind(*at) == "=" && kind.line <= line && self.is_in_scope(*at, line);
        if !TYPES.contains(&kind.text) || !starts || self.is_static(*at) {
            return None;
        }
        let value = self.body.get(at + 2..)?.split(|token| matches!(token.text, "," | ";")).next()?;
        let is_before = value.last()?.line <= line;
        let is_kept = self.parameter(name).is_none() && !self.is_changed(name, Some(*at));
        let names = value.iter().filter(|token| token.is_word());
        let are_steady = names.clone().all(|token| token.text != name && self.is_steady(token.text, call));
        (is_before && is_kept && are_steady).then(|| joined(value))
    }

    /// True if a name means the same, with the same value, in the whole function.
    fn is_steady(&self, name: &str, call: &str) -> bool {
        let declared = self.declarations(name);
        let own = match (self.parameter(name).is_some(), declared.as_slice()) {
            (true, []) => None,
            (false, [at]) => Some(*at),
            (false, []) => return self.leaves(name, call),
            _ => return false,
        };
        !self.is_changed(name, own)
    }

    /// True if a variable of outside has the same value from the beginning to the end of the function, which writes only
    /// to names and calls no other function than those of MPI and the given one; or a macro around that.
    pub(super) fn leaves(&self, name: &str, call: &str) -> bool {
        let is_parameter = self.parameters.iter().any(|tokens| tokens.iter().any(|token| token.text == name));
        let is_own = is_parameter || !self.declarations(name).is_empty();
        !is_own
            && !self.is_changed(name, None)
            && self.calls.are_harmless(call)
            && self.writes_only_to_names()
            && !self.gives_itself_away()
    }

    /// True for a parameter or variable of the function.
    pub(super) fn owns(&self, name: &str) -> bool {
        let is_parameter = self.parameters.iter().any(|tokens| tokens.iter().any(|token| token.text == name));
        is_parameter || !self.declarations(name).is_empty()
    }

    /// True for a variable that is a pointer to a class, if the function does nothing with it but to access members.
    pub(super) fn points_to(&self, name: &str, class: &str, line: u32) -> bool {
        let is_declared = |tokens: &[Token<'_>]| matches!(tokens, [.., kind, star, last] if kind.text == class && star.text == "*" && last.text == name);
        let mut parameters = self.parameters.iter().filter(|tokens| tokens.iter().any(|token| token.text == name));
        let declared = self.declarations(name);
        let is_pointer = match (parameters.next(), declared.as_slice()) {
            (Some(tokens), []) => is_declared(tokens) && parameters.next().is_none(),
            (None, [at]) => {
                self.body.get(..=*at).is_some_and(is_declared) && self.is_in_scope(*at, line) && !self.is_static(*at)
            }
            _ => false,
        };
        let mut uses = self.uses(name).filter(|at| Some(at) != declared.first());
        is_pointer && uses.all(|at| self.behind(at) == "->")
    }

    /// True for a variable of the function that a called function cannot reach, if it is that of the name on a line.
    pub(super) fn hides(&self, name: &str, line: u32) -> bool {
        let declared = self.declarations(name);
        let is_static = declared.iter().any(|at| self.is_static(*at));
        let is_own = self.parameter(name).is_some() || declared.iter().any(|at| self.is_in_scope(*at, line));
        is_own && !is_static && !self.is_reachable(name)
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        let is_it = |tokens: &&[Token<'_>]| match tokens {
            [kind @ .., last] => {
                let is_plain = kind.iter().all(|token| token.is_word()) && !kind.is_empty();
                is_plain && last.text == name
            }
            [] => false,
        };
        self.parameters.iter().position(is_it)
    }

    fn before(&self, at: usize) -> &str {
        before(self.body, at)
    }

    fn behind(&self, at: usize) -> &str {
        behind(self.body, at)
    }

    /// The places of a name that is not a member's.
    fn uses(&self, name: &str) -> impl Iterator<Item = usize> {
        let is_it = move |at: &usize| {
            self.body.get(*at).is_some_and(|token| token.text == name) && !matches!(self.before(*at), "." | "->" | "::")
        };
        (0..self.body.len()).filter(is_it)
    }

    /// The places where a name is declared, in the function or in a block of it.
    fn declarations(&self, name: &str) -> Vec<usize> {
        let declares = |at: &usize| {
            let Some(before) = at.checked_sub(1).and_then(|before| self.body.get(before)) else { return false };
            let is_type = before.is_word() && !NO_TYPES.contains(&before.text);
            is_type
                || (before.text == "," && self.is_in_declaration(*at))
                || matches!(before.text, "*" | "&" if self.is_declarator(*at))
        };
        self.uses(name).filter(declares).collect()
    }

    /// True for `b` of `int a = 1, b`.
    fn is_in_declaration(&self, at: usize) -> bool {
        let statement = self.statement(at);
        let open = statement.iter().filter(|token| token.text == "(").count();
        let closed = statement.iter().filter(|token| token.text == ")").count();
        let is_for = statement.first().is_some_and(|token| token.text == "for");
        let statement = if is_for { statement.get(2..).unwrap_or(&[]) } else { statement };
        let is_declared = matches!(statement, [kind, name, ..] if kind.is_word() && (name.is_word() || name.text == "*") && !NO_TYPES.contains(&kind.text));
        open == closed + usize::from(is_for) && is_declared
    }

    /// True for `p` of `int *p`, in which the word before the sign begins a statement.
    fn is_declarator(&self, at: usize) -> bool {
        let Some(sign) = at.checked_sub(2) else { return false };
        let is_word = self.body.get(sign).is_some_and(Token::is_word);
        is_word && matches!(self.before(sign), "" | ";" | "{" | "}" | "const" | "static")
    }

    /// True if no block that a declaration is in ends up to a line.
    fn is_in_scope(&self, declared: usize, line: u32) -> bool {
        let mut depth = 0_usize;
        for token in self.body.get(declared..).unwrap_or(&[]).iter().take_while(|token| token.line <= line) {
            match (token.text, depth) {
                ("(" | "[" | "{", _) => depth += 1,
                (")" | "]" | "}", 0) => return false,
                (")" | "]" | "}", _) => depth -= 1,
                _ => {}
            }
        }
        true
    }

    fn is_static(&self, declared: usize) -> bool {
        self.statement(declared).iter().any(|token| token.text == "static")
    }

    /// The statement with a place, up to it.
    fn statement(&self, at: usize) -> &[Token<'a>] {
        let before = self.body.get(..at).unwrap_or(&[]);
        let begin = before.iter().rposition(|token| matches!(token.text, ";" | "{" | "}")).map_or(0, |begin| begin + 1);
        before.get(begin..).unwrap_or(&[])
    }

    /// True if something may give a name another value than its declaration at `declared` does.
    fn is_changed(&self, name: &str, declared: Option<usize>) -> bool {
        let changes = |at: usize| {
            let is_in_parentheses = self.before(at) == "(" && self.behind(at) == ")";
            ASSIGNMENTS.contains(&self.behind(at))
                || matches!(self.before(at), "++" | "--")
                || self.behind(at) == "["
                || (is_in_parentheses && ASSIGNMENTS.contains(&self.behind(at + 1)))
        };
        self.is_reachable(name) || self.uses(name).filter(|at| Some(*at) != declared).any(changes)
    }

    /// True if the address of a name is taken, a reference of C++ may be bound to it, or a macro may do anything with it.
    fn is_reachable(&self, name: &str) -> bool {
        self.uses(name).any(|at| {
            let operand = at.checked_sub(2).and_then(|before| self.body.get(before));
            let is_operand = operand
                .is_some_and(|token| token.text == ")" || token.text == "]" || token.text.chars().all(is_of_word));
            let is_address = self.before(at) == "&" && !is_operand;
            let is_copied = self.calls.are_around(at, is_of_mpi) || self.is_declared_plainly(at);
            let may_be_bound = self.source.language == Language::Cpp
                || self.calls.are_around(at, |call| self.source.is_macro(call) && !is_of_mpi(call));
            is_address || (may_be_bound && !is_copied)
        })
    }

    /// True if a write through a pointer, or to an element or a member, is not in the function.
    fn writes_only_to_names(&self) -> bool {
        let is_name = |at: Option<usize>| {
            let is_word = at.and_then(|at| self.body.get(at)).is_some_and(Token::is_word);
            at.is_some_and(|at| {
                is_word
                    && !matches!(self.before(at), "." | "->" | "::" | "*")
                    && !matches!(self.behind(at), "." | "->" | "::" | "[")
            })
        };
        let signs =
            (0..self.body.len()).filter(|at| self.body.get(*at).is_some_and(|token| ASSIGNMENTS.contains(&token.text)));
        signs.into_iter().all(|at| {
            let is_counted = self.body.get(at).is_some_and(|sign| matches!(sign.text, "++" | "--"));
            is_name(at.checked_sub(1)) || (is_counted && is_name(Some(at + 1)))
        })
    }

    fn is_declared_plainly(&self, at: usize) -> bool {
        TYPES.contains(&self.before(at))
    }

    /// True if a method passes its object to others.
    fn gives_itself_away(&self) -> bool {
        self.uses("this").any(|at| self.behind(at) != "->" || self.before(at) == "&")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: &str = "\
static void send_to(int peer, const int tag, int *count)
{
    MPI_Send(out, *count, MPI_CHAR, peer, tag, world);
}
static void root(int step)
{
    int from = rank == last ? last : 0, up = step + 1;
    int next = rank + 1;
    next++;
    CHECK(MPI_Bcast(out, 1, MPI_CHAR, from, world));
}
static void calls(int step)
{
    int from = rank, up = step + 1;
    work(step, &step);
    int own = from, *other = &own;
    MPI_Bcast(out, 1, MPI_CHAR, from, world);
}
";

    /// Asks a function of a text.
    fn of<T>(text: &str, line: u32, name: &str, ask: impl FnOnce(&FunctionText<'_>) -> T) -> T {
        let source = SourceText::new("a.c", text);
        ask(&FunctionText::around(&source, line, name).unwrap())
    }

    fn is_none(text: &str, line: u32, name: &str) -> bool {
        FunctionText::around(&SourceText::new("a.c", text), line, name).is_none()
    }

    /// A class makes it C++.
    fn as_cpp(text: &str) -> String {
        format!("{text}int A::b;\n")
    }

    #[test]
    fn the_function_is_the_one_of_the_name_around_the_line() {
        assert_eq!(of(C, 3, "send_to", |function| function.arity()), 3);
        for (line, name) in [(3, "root"), (8, "send_to"), (10, "CHECK"), (99, "root")] {
            assert!(is_none(C, line, name), "{name}");
        }
        assert!(is_none(&C.replace("    next++;", "#ifdef X\n    from = 3;\n#endif"), 10, "root"));
        assert!(is_none(&C.replace("(int peer,", "(\n#ifdef X\nint a,\n#endif\nint peer,"), 7, "send_to"));
    }

    #[test]
    fn texts_that_nobody_wrote_take_no_time() {
        let begun = std::time::Instant::now();
        let body = |inside: &str| format!("void f(int x)\n{{\n{inside}}}\n");
        for text in [
            "f(".repeat(20_000),
            "f(){".repeat(20_000),
            "f(){}".repeat(20_000),
            body(&"g(x);".repeat(1_000)),
            body(&"x ".repeat(20_000)),
            body(&format!("{}x{};", "g(x,".repeat(2_000), ")".repeat(2_000))),
            body(&format!("{}{}", "MPI_A(x);".repeat(500), "y = x;".repeat(500))),
        ] {
            for name in ["a.c", "a.cc"] {
                let source = SourceText::new(name, &text);
                let Some(function) = FunctionText::around(&source, 3, "f") else { continue };
                _ = function.steady_parameter("x");
                _ = function.leaves("x", "g") || function.leaves("z", "g");
            }
        }
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    }

    #[test]
    fn parameters_that_nothing_changes_have_the_value_that_was_passed() {
        let steady = |text: &str, name: &str| of(text, 4, "send_to", |function| function.steady_parameter(name));
        let with = |statement: &str| C.replace("    MPI_Send", &format!("    {statement}\n    MPI_Send"));
        let text = with("");
        assert_eq!(["peer", "tag", "count", "out"].map(|name| steady(&text, name)), [Some(0), Some(1), None, None]);
        assert_eq!(of(C, 17, "calls", |calls| calls.steady_parameter("step")), None, "its address is taken");
        for change in [
            "peer = 1;",
            "++peer;",
            "peer--;",
            "peer += 2;",
            "(peer)++;",
            "f(&peer);",
            "int peer;",
            "for (int i, peer;;);",
            "SWAP(peer, 1);",
        ] {
            assert_eq!(steady(&with(change), "peer"), None, "{change}");
        }
        let text = with("next(peer);") + "#define next(x) x++\n";
        assert_eq!(steady(&text, "peer"), None, "it is a macro");
        for harmless in ["if (tag & peer);", "g->peer = 1;", "x = peer == 3;", "f(peer);", "CHECK(MPI_Test(peer));"] {
            assert_eq!(steady(&with(harmless), "peer"), Some(0), "{harmless}");
            let is_copied = harmless.contains("->") || harmless.contains("MPI");
            assert_eq!(steady(&as_cpp(&with(harmless)), "peer"), is_copied.then_some(0), "{harmless} in C++");
        }
        for kind in ["char", "bool", "double", "int *", "Peer"] {
            assert_eq!(steady(&text.replace("int peer", &format!("{kind} peer")), "peer"), None, "{kind}");
        }
    }

    #[test]
    fn variables_have_their_first_value_only_if_nothing_can_have_changed_it() {
        fn value(text: &str, line: u32, name: &str, of_name: &str) -> Option<String> {
            of(text, line, name, |function| function.steady_initializer(of_name, line, "MPI_Bcast"))
        }
        assert_eq!(value(C, 10, "root", "from").as_deref(), Some("rank==last?last:0"));
        assert_eq!(value(C, 10, "root", "next"), None, "it is counted up");
        assert_eq!(value(C, 10, "root", "up"), None, "the first of a declaration is enough");
        assert_eq!(value(C, 17, "calls", "from"), None, "work may change rank");
        assert_eq!(value(C, 17, "calls", "own"), None, "its address is taken");
        for (kind, is_known) in [("int", true), ("const int", true), ("double", false), ("static int", false)] {
            let text = C.replace("    int next", &format!("    {kind} later = step;\n    int next"));
            assert_eq!(value(&text, 11, "root", "later").is_some(), is_known, "{kind}");
            assert_eq!(value(&text, 7, "root", "later"), None, "it comes later");
        }
        for (block, is_known) in [("{ int later = step; }", false), ("int later = step; { }", true)] {
            let text = C.replace("    int next", &format!("    {block}\n    int next"));
            assert_eq!(value(&text, 11, "root", "later").is_some(), is_known, "{block}");
        }
    }

    #[test]
    fn what_is_outside_is_left_alone_by_functions_that_call_only_mpi() {
        let leaves = |text: &str, line, name: &str, of_name: &str, call: &str| {
            of(text, line, name, |function| function.leaves(of_name, call))
        };
        assert!(leaves(C, 3, "send_to", "right", "MPI_Send") && !leaves(C, 3, "send_to", "peer", "MPI_Send"));
        assert!(!leaves(C, 3, "send_to", "count", "MPI_Send"), "it is a parameter");
        assert!(leaves(C, 10, "root", "right", "MPI_Bcast"), "a macro is around the call");
        assert!(!leaves(C, 10, "root", "right", "MPI_Send") && !leaves(C, 17, "calls", "right", "MPI_Bcast"));
        let twice = C.replace("    next++;", "    CHECK(1);");
        assert!(leaves(&twice, 10, "root", "right", "CHECK"));
        assert!(!leaves(&as_cpp(&twice), 10, "root", "right", "CHECK"), "there may be several in C++");
        assert!(leaves(C, 10, "root", "right", "CHECK"), "it is the given function");
        for (statement, expected) in [
            ("table[0](1);", false),
            ("f<int>(1);", false),
            ("f();", false),
            ("a.reset();", false),
            ("a.data(1);", false),
            ("f(this);", false),
            ("x = static_cast<int>(a.size()) + int(b->size());", true),
            ("*count = 1;", false),
            ("this->right = 1;", false),
            ("all[3]++;", false),
            ("--all.first;", false),
            ("x = 1; ++x; x--;", true),
        ] {
            let text = C.replace("    MPI_Send", &format!("    {statement}\n    MPI_Send"));
            assert_eq!(leaves(&text, 4, "send_to", "right", "MPI_Send"), expected, "{statement}");
        }
    }

    #[test]
    fn variables_of_a_function_are_hidden_from_those_that_it_calls() {
        let hides = |text: &str, line, name: &str| of(text, line, "calls", |function| function.hides(name, line));
        assert!(hides(C, 17, "from") && !hides(C, 17, "step") && !hides(C, 17, "rank"));
        let text = C.replace("    work", "    { int rank = 1; }\n    work");
        assert!(!hides(&text, 18, "rank"), "it is another's name where the block has ended");
    }
}
