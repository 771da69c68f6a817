//! Where values come from that an optimizing compiler has not kept: the text of the caller's call for a parameter, the
//! text of the declaration for a variable; as long as nothing in the text can have changed them since.

use super::arithmetic::Term;
use super::call_text::{Language, arguments_of_call};
use super::constants::with_constants;
use super::function_text::FunctionText;
use super::function_text::name::{base_name, class_of};
use super::implementation::is_constant;
use super::tokens::{SourceText, is_plain_name};
use model::SourcePlace;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A user's function on the stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Caller {
    pub(crate) level: u32,
    pub(crate) function: Option<Arc<str>>,
    pub(crate) source: Option<SourcePlace>,
}

/// Callers whose text is looked at: wrappers of calls of MPI are not deeper.
pub(crate) const MOST_CALLERS: usize = 4;

/// More names are not in one call.
const MOST_NAMES: usize = 32;

/// The texts of source files by name.
pub(crate) type Texts = HashMap<Arc<str>, Arc<str>>;

/// The same, taken apart once for all calls.
pub(crate) struct Sources<'a>(HashMap<&'a str, SourceText<'a>>);

impl<'a> Sources<'a> {
    pub(crate) fn new(texts: &'a Texts) -> Self {
        Self(texts.iter().map(|(file, text)| (&**file, SourceText::new(file, text))).collect())
    }
}

/// The text that gave a name of a frame its value, by the frame in which it is evaluated. Frames are counted from that of
/// the call of MPI.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Origins {
    known: HashMap<(usize, String), (usize, Origin)>,
    language: Option<Language>,
}

/// The text that gave a name its value.
#[derive(Clone, Debug, PartialEq)]
enum Origin {
    /// An expression.
    Expression(String),
    /// A member of an object that the text names: the parser takes `->` of C++ for an operator of a class, which this is
    /// not.
    Member(String),
}

impl Origin {
    fn text(&self) -> &str {
        match self {
            Self::Expression(text) | Self::Member(text) => text,
        }
    }

    /// The variables in it.
    fn names(&self, language: Option<Language>) -> Vec<String> {
        match self {
            Self::Expression(text) => names_in(text, language),
            Self::Member(name) => vec![name.clone()],
        }
    }
}

impl Origins {
    /// Follows some names of the frame that calls MPI's `call`. Also returns files whose text is needed to go on.
    pub(crate) fn of(
        names: &[String],
        call: &str,
        callers: &[Caller],
        sources: &Sources<'_>,
    ) -> (Self, BTreeSet<Arc<str>>) {
        let mut search = Search { callers, sources, missing: BTreeSet::new() };
        let source = if names.is_empty() { None } else { search.source(0) };
        let language = source.map(|(source, _)| source.language);
        let mut found = Self { known: HashMap::new(), language };
        let mut open: Vec<(usize, String)> = names.iter().map(|name| (0, name.clone())).collect();
        while let Some((frame, name)) = open.pop() {
            let key = (frame, name);
            if found.known.len() >= MOST_NAMES || found.known.contains_key(&key) {
                continue;
            }
            let Some((from, origin)) = search.origin(&key, call) else { continue };
            open.extend(origin.names(language).into_iter().map(|name| (from, name)));
            found.known.insert(key, (from, origin));
        }
        (found, search.missing)
    }

    /// The names to be evaluated by their frames.
    pub(crate) fn wanted(&self) -> BTreeSet<(usize, String)> {
        self.known
            .values()
            .flat_map(|(frame, origin)| origin.names(self.language).into_iter().map(|name| (*frame, name)))
            .collect()
    }

    /// The value of a name in the frame that calls MPI; `value` knows those that are evaluated in a frame. A frame that
    /// is not `is_told` by its text has no origins.
    pub(crate) fn value(
        &self,
        name: &str,
        value: &dyn Fn(usize, &str) -> Option<i64>,
        is_told: &dyn Fn(usize) -> bool,
    ) -> Option<i64> {
        self.value_in(0, name, value, is_told, MOST_NAMES)
    }

    fn value_in(
        &self,
        frame: usize,
        name: &str,
        value: &dyn Fn(usize, &str) -> Option<i64>,
        is_told: &dyn Fn(usize) -> bool,
        deepest: usize,
    ) -> Option<i64> {
        if let Some(value) = value(frame, name) {
            return Some(value);
        }
        let (from, origin) = self.known.get(&(frame, name.to_owned()))?;
        if deepest == 0 || !is_told(frame) || !is_told(*from) {
            return None;
        }
        let of_name = |name: &str| self.value_in(*from, name, value, is_told, deepest - 1);
        match origin {
            Origin::Expression(text) => Term::parse(text, self.language?)?.value(&of_name),
            Origin::Member(name) => of_name(name),
        }
    }

    /// The text that a name stands for in the end, such as `MPI_COMM_WORLD`.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut key = (0, name.to_owned());
        let mut found = None;
        for _ in 0..MOST_NAMES {
            let Some((frame, origin)) = self.known.get(&key) else { break };
            found = Some(origin.text());
            key = (*frame, origin.text().to_owned());
        }
        found
    }
}

/// The variables in an expression.
fn names_in(text: &str, language: Option<Language>) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(term) = language.and_then(|language| Term::parse(text, language)) {
        term.names(&mut names);
        names.retain(|name| !is_constant(name));
    }
    names
}

struct Search<'a> {
    callers: &'a [Caller],
    sources: &'a Sources<'a>,
    missing: BTreeSet<Arc<str>>,
}

impl<'a> Search<'a> {
    /// Returns a frame's source, and its line.
    fn source(&mut self, frame: usize) -> Option<(&'a SourceText<'a>, u32)> {
        let place = self.callers.get(frame)?.source.as_ref()?;
        let found = self.sources.0.get(&*place.file);
        if found.is_none() {
            self.missing.insert(place.file.clone());
        }
        Some((found?, place.line))
    }

    /// The name of a frame's function in its text.
    fn name(&self, frame: usize) -> Option<&'a str> {
        base_name(self.callers.get(frame)?.function.as_deref()?)
    }

    /// Returns the text of a frame's function, with its source and line.
    fn function(&mut self, frame: usize) -> Option<(FunctionText<'a>, &'a SourceText<'a>, u32)> {
        let (source, line) = self.source(frame)?;
        Some((FunctionText::around(source, line, self.name(frame)?)?, source, line))
    }

    /// The name of the function that a frame's calls by its text.
    fn called(&self, frame: usize, call: &'a str) -> Option<&'a str> {
        frame.checked_sub(1).map_or(Some(call), |inner| self.name(inner))
    }

    /// True if no function of the first frames gives a name of outside another value.
    fn leave(&mut self, frames: usize, name: &str, call: &'a str) -> bool {
        (0..frames).all(|frame| {
            let called = self.called(frame, call);
            self.function(frame).zip(called).is_some_and(|((function, ..), called)| function.leaves(name, called))
        })
    }

    /// Returns the text that gave a name its value, and the frame of that text.
    fn origin(&mut self, (frame, name): &(usize, String), call: &'a str) -> Option<(usize, Origin)> {
        let frame = *frame;
        let member = name.strip_prefix("this->").unwrap_or(name);
        if !is_plain_name(member) {
            return None;
        }
        let (function, source, line) = self.function(frame)?;
        if member == name {
            if let Some(value) = function.steady_initializer(name, line, self.called(frame, call)?) {
                let value = with_constants(&value, source.text, source.language);
                let mut names = names_in(&value, Some(source.language)).into_iter();
                let are_kept = names.all(|name| function.hides(&name, line) || self.leave(frame, &name, call));
                return are_kept.then_some((frame, Origin::Expression(value)));
            }
            if let Some(place) = function.steady_parameter(name) {
                return self.argument(frame, place, function.arity(), call);
            }
        }
        self.member(frame, member, call)
    }

    /// Returns the text that a frame's caller passed at a place.
    fn argument(&mut self, frame: usize, place: usize, arity: usize, call: &'a str) -> Option<(usize, Origin)> {
        let outer = frame + 1;
        let (outside, source, line) = self.function(outer)?;
        let arguments = arguments_of_call(source.text, line, self.name(frame)?, source.language)?;
        let argument = arguments.get(place).filter(|_| arguments.len() == arity)?;
        let argument = with_constants(argument, source.text, source.language);
        let mut names = names_in(&argument, Some(source.language)).into_iter();
        let are_kept =
            names.all(|name| is_plain_name(&name) && (outside.hides(&name, line) || self.leave(outer, &name, call)));
        are_kept.then_some((outer, Origin::Expression(argument)))
    }

    /// Returns the text by which the caller of a method names a member of its object. The compiler may have kept the
    /// object there alone.
    fn member(&mut self, frame: usize, member: &str, call: &'a str) -> Option<(usize, Origin)> {
        let outer = frame + 1;
        let class = class_of(self.callers.get(frame)?.function.as_deref()?)?;
        let (outside, source, line) = self.function(outer)?;
        let object = outside.calls().object_of(self.name(frame)?, line)?;
        let of_outer = self.callers.get(outer)?.function.as_deref().and_then(class_of);
        // A pointer may be an object of a class that finds another object each time.
        let is_own = object.is_empty() && of_outer == Some(class) && !outside.owns(member);
        let own_name = class.rsplit("::").next().unwrap_or(class);
        let is_pointer = |name: &str| outside.points_to(name, own_name, line);
        let is_known = is_own || object.ends_with('.') || object.strip_suffix("->").is_some_and(is_pointer);
        let is_kept = is_known && source.language == Language::Cpp && self.leave(outer, member, call);
        is_kept.then(|| (outer, Origin::Member(format!("{object}{member}"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPERS: &str = "\
#define NEXT (right + 0)
static void send_to(int peer, int tag, MPI_Comm comm)
{
    MPI_Send(out, 1, MPI_CHAR, peer, tag, comm);
}
static void send_right(int tag)
{
    send_to(NEXT, tag, MPI_COMM_WORLD);
}
";
    const MAIN: &str = "\
int main(void)
{
    int step = 0;
    for (;; step++)
        send_right(step + 1);
}
";

    fn callers() -> Vec<Caller> {
        let caller = |level, function: &str, file: &str, line| Caller {
            level,
            function: Some(function.into()),
            source: Some(SourcePlace { file: file.into(), line }),
        };
        vec![caller(3, "send_to", "w.c", 4), caller(4, "send_right", "w.c", 8), caller(5, "main", "m.c", 5)]
    }

    fn origins(names: &[String], callers: &[Caller], files: &[(&str, &str)]) -> (Origins, BTreeSet<Arc<str>>) {
        let texts: Texts = files.iter().map(|(file, text)| (Arc::from(*file), Arc::from(*text))).collect();
        Origins::of(names, "MPI_Send", callers, &Sources::new(&texts))
    }

    fn names() -> Vec<String> {
        ["peer", "tag", "comm"].map(str::to_owned).to_vec()
    }

    fn value(origins: &Origins, name: &str) -> Option<i64> {
        let of = |frame: usize, name: &str| match (frame, name) {
            (1, "right") => Some(3),
            (2, "step") => Some(6),
            _ => None,
        };
        origins.value(name, &of, &|_| true)
    }

    #[test]
    fn parameters_are_followed_through_callers_of_other_files() {
        let (part, missing) = origins(&names(), &callers(), &[("w.c", WRAPPERS)]);
        assert_eq!(missing.iter().map(|file| &**file).collect::<Vec<_>>(), ["m.c"]);
        assert_eq!((value(&part, "peer"), value(&part, "tag")), (Some(3), None));
        let (whole, missing) = origins(&names(), &callers(), &[("w.c", WRAPPERS), ("m.c", MAIN)]);
        assert!(missing.is_empty());
        assert_eq!((value(&whole, "peer"), value(&whole, "tag")), (Some(3), Some(7)));
        assert_eq!(whole.text("comm"), Some("MPI_COMM_WORLD"));
        let wanted: Vec<(usize, String)> = whole.wanted().into_iter().collect();
        assert_eq!(wanted, [(1, "right".into()), (1, "tag".into()), (2, "step".into())]);
        assert_eq!(whole.value("peer", &|_, _| Some(1), &|_| true), Some(1), "what the compiler knows is better");
        assert_eq!(whole.value("tag", &|frame, _| (frame == 2).then_some(6), &|frame| frame < 2), None);
    }

    #[test]
    fn a_wrapper_that_may_change_what_was_passed_has_no_origins() {
        for (old, new) in [
            ("    MPI_Send", "    note(); MPI_Send"),
            ("    MPI_Send", "    right = peer; MPI_Send"),
            ("    MPI_Send", "    peer = 1; MPI_Send"),
            ("send_to(NEXT, tag", "send_to(NEXT, tag, 1"),
            ("send_to(NEXT", "send_to(g->right"),
            ("send_to(NEXT", "send_to(next()"),
            ("    send_to(NEXT, tag, MPI_COMM_WORLD);", "    send_to(NEXT, tag, comm); send_to(1, tag, comm);"),
        ] {
            let text = WRAPPERS.replace(old, new);
            let (found, _) = origins(&names(), &callers(), &[("w.c", &text)]);
            assert_eq!(value(&found, "peer"), None, "{new}");
        }
    }

    #[test]
    fn members_are_those_of_the_object_that_the_caller_names() {
        const METHODS: &str = "\
void Link::send(const std::vector<int> &out, int peer) const
{
    MPI_Send(out.data(), int(out.size()), MPI_INT, peer, 3, comm);
}
void Step::run()
{
    link.send(field, right);
}
";
        let callers = |own: &str, outer: &str| {
            let caller = |level, function: &str, line| Caller {
                level,
                function: Some(function.into()),
                source: Some(SourcePlace { file: "w.cc".into(), line }),
            };
            vec![caller(3, own, 3), caller(4, outer, 7)]
        };
        let wanted = |text: &str, own: &str, outer: &str| {
            let (found, _) = origins(&["comm".to_owned(), "peer".to_owned()], &callers(own, outer), &[("w.cc", text)]);
            found.wanted().into_iter().map(|(frame, name)| format!("{frame} {name}")).collect::<Vec<_>>()
        };
        assert_eq!(wanted(METHODS, "sim::Link::send", "sim::Step::run()"), ["1 link.comm", "1 right"]);
        for (old, new, expected) in [
            ("link.", "link->", &["1 right"][..]),
            ("link.", "this->", &["1 right"]),
            ("link.", "all.first.", &["1 right"]),
            ("    MPI_Send", "    note(); MPI_Send", &[]),
            ("    MPI_Send", "    comm = other; MPI_Send", &["1 right"]),
            ("    MPI_Send", "    this->comm = other; MPI_Send", &[]),
            ("    MPI_Send", "    MPI_Comm_dup(other, &comm); MPI_Send", &["1 right"]),
        ] {
            assert_eq!(wanted(&METHODS.replace(old, new), "Link::send", "Step::run"), expected, "{new}");
        }
        let own = METHODS.replace("link.", "");
        assert_eq!(wanted(&own, "Step::send", "Step::run"), ["1 comm", "1 right"]);
        let shadowed = own.replace("    send(field", "    int comm; send(field");
        assert_eq!(wanted(&shadowed, "Step::send", "Step::run"), ["1 right"]);
    }

    #[test]
    fn members_are_those_of_the_object_that_a_pointer_of_the_caller_names() {
        const METHODS: &str = "\
void Link::send(int peer) const
{
    MPI_Send(out, 1, MPI_INT, peer, 3, comm);
}
static void run(const Link *link, int right)
{
    link->send(right);
}
";
        let wanted = |text: &str, own: &str| {
            let caller = |level, function: &str, line| Caller {
                level,
                function: Some(function.into()),
                source: Some(SourcePlace { file: "w.cc".into(), line }),
            };
            let callers = [caller(3, own, 3), caller(4, "(anonymous namespace)::run(Link const*, int)", 7)];
            let (found, _) = origins(&["comm".to_owned()], &callers, &[("w.cc", text)]);
            found.wanted().into_iter().map(|(frame, name)| format!("{frame} {name}")).collect::<Vec<_>>()
        };
        let own = "sim::Link::send(int) const";
        assert_eq!(wanted(METHODS, own), ["1 link->comm"]);
        let local = METHODS.replace("const Link *link, int right)\n{", "int right)\n{ const Link *link = next();");
        assert_eq!(wanted(&local, own), ["1 link->comm"]);
        assert!(wanted(METHODS, "sim::Base::send(int) const").is_empty(), "a class may hide the member of its base");
        for (old, new) in [
            ("const Link *link", "const Shared &link"),
            ("const Link *link", "Link **link"),
            ("    link->", "    link = next(); link->"),
            ("    link->", "    note(link); link->"),
            ("    link->", "    other = &link; link->"),
            ("    link->", "    { Link *link = 0; } link->"),
            ("    link->", "    all->link->"),
            ("    MPI_Send", "    note(); MPI_Send"),
        ] {
            assert!(wanted(&METHODS.replace(old, new), own).is_empty(), "{new}");
        }
    }

    #[test]
    fn endless_chains_end() {
        const LOOP: &str = "void send_to(int peer)\n{\n    send_to(peer);\n    MPI_Send(peer);\n}\n";
        let callers: Vec<Caller> =
            callers().into_iter().map(|caller| Caller { function: Some("send_to".into()), ..caller }).collect();
        let (found, _) = origins(&["peer".to_owned()], &callers, &[("w.c", LOOP), ("m.c", LOOP)]);
        assert_eq!(found.value("peer", &|_, _| None, &|_| true), None);
    }
}
