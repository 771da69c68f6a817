//! Completion at the prompt.

mod names;

pub use names::{file_begun, is_register_begun, type_begun};

use super::comment::without_comment;
use super::phrases::next_words;
use super::table::{self, ArgumentKind, entries};
use super::{Entry, VARIABLES};
use crate::sets::PREDICATES;
use crate::state::State;
use model::aif::member_names;
use model::{VariableValue, nearest_of_few};

/// The candidates for the end of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The byte of the line at which the completed text begins.
    pub start: usize,
    /// The candidates, in order.
    pub candidates: Vec<String>,
}

/// Returns the candidates for the end of an unfinished line.
pub fn complete(line: &str, state: &State) -> Completion {
    if without_comment(line).len() < line.trim_end().len() {
        return Completion { start: line.len(), candidates: Vec::new() };
    }
    let trimmed = line.trim_start();
    let mut at = line.len() - trimmed.len();
    if trimmed.starts_with('[') {
        match trimmed.find(']') {
            None => return threads(line, state).unwrap_or_else(|| words(line, sets(state))),
            Some(end) => at += end + 1,
        }
    }
    let rest = line.get(at..).unwrap_or("");
    let body = rest.trim_start();
    let name_length = body.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(body.len());
    if name_length == body.len() {
        let names = entries().map(|entry| entry.name.to_owned());
        let own = state.aliases.keys().chain(state.scripts.definitions.keys()).cloned();
        return words(line, names.chain(own).collect());
    }
    let words_before = body.split_whitespace().count() - usize::from(!body.ends_with(char::is_whitespace));
    let going_on = words(line, next_words(body).unwrap_or_default());
    if words_before > 1 && !going_on.candidates.is_empty() {
        return going_on;
    }
    let mut completion = of_arguments(line, body, name_length, state);
    if going_on.candidates.is_empty() {
        return completion;
    }
    if completion.start == going_on.start || completion.candidates.is_empty() {
        completion.start = going_on.start;
        // Names of the program are in an order of their own, behind which settings go.
        let known = std::mem::take(&mut completion.candidates);
        let fresh = going_on.candidates.into_iter().filter(|word| !known.contains(word)).collect::<Vec<_>>();
        completion.candidates = known.into_iter().chain(fresh).collect();
    }
    completion
}

/// Completes the arguments of the command whose name ends at a byte of the line's body.
fn of_arguments(line: &str, body: &str, name_length: usize, state: &State) -> Completion {
    let (entry, name_length) = match of_two_words(body) {
        Some(found) => found,
        None => match table::find(body.get(..name_length).unwrap_or("")) {
            Ok(entry) => (entry, name_length),
            Err(_) => return Completion { start: line.len(), candidates: Vec::new() },
        },
    };
    if takes_names(entry)
        && let Some(member) = member_begun(line)
    {
        return Completion { start: line.len() - member.begun.len(), candidates: members(&member, state) };
    }
    if entry.arguments == ArgumentKind::Set
        && let Some(threads) = threads(line, state)
    {
        return threads;
    }
    let after = body.get(name_length..).unwrap_or("");
    let is_first = after.split_whitespace().count() <= usize::from(!line.ends_with(char::is_whitespace));
    let is_own_word = is_first
        && match entry.arguments {
            ArgumentKind::Setting => !after.contains('$'),
            ArgumentKind::ExpressionBehind(_) => true,
            _ => false,
        };
    if takes_names(entry) && !is_own_word || names::is_in_condition(entry, after) {
        return names::of_expression(line, state);
    }
    if entry.arguments == ArgumentKind::Location {
        // The word after a location is none: a second tab adds nothing.
        let is_begun = names::begins_argument(after);
        let begun = after.rsplit(char::is_whitespace).next().unwrap_or("");
        return words_with(line, if is_begun { locations(state, begun) } else { Vec::new() }, &[':']);
    }
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    words(
        line,
        match entry.arguments {
            ArgumentKind::Set => sets(state),
            ArgumentKind::Group => state.groups.keys().cloned().collect(),
            ArgumentKind::Breakpoints => state.breakpoints.keys().map(ToString::to_string).collect(),
            ArgumentKind::Signal(_) if is_first => state.signals.iter().map(|row| row.info.name.to_string()).collect(),
            ArgumentKind::Signal(actions) => list(actions),
            ArgumentKind::Command => entries().map(|entry| entry.name.to_owned()).collect(),
            ArgumentKind::Setting => {
                let settings = VARIABLES.iter().map(|variable| variable.name.to_owned());
                settings.chain(state.variables_in_order().into_iter().flatten()).collect()
            }
            ArgumentKind::Words(names) => list(names),
            ArgumentKind::Snapshot(orders) => {
                let kept = state.snapshots.iter().map(|kept| kept.name.clone());
                kept.chain(orders.iter().filter(|_| is_first).map(|&word| word.to_owned())).collect()
            }
            ArgumentKind::ExpressionBehind(word) => list(&[word]),
            _ => Vec::new(),
        },
    )
}

/// Returns the command whose name is the first two words, with the length of these, if more may follow.
fn of_two_words(body: &str) -> Option<(&'static Entry, usize)> {
    let (first, rest) = body.split_once(char::is_whitespace)?;
    let (second, _) = rest.trim_start().split_once(char::is_whitespace)?;
    let name = format!("{first} {second}");
    let entry = entries().find(|entry| entry.aliases.contains(&name.as_str()))?;
    Some((entry, body.find(rest.trim_start())? + second.len()))
}

/// Keeps the candidates that begin like the last word of the line.
fn words(line: &str, candidates: Vec<String>) -> Completion {
    words_with(line, candidates, &[])
}

/// As [`words`]; words may also contain these characters.
fn words_with(line: &str, mut candidates: Vec<String>, also: &[char]) -> Completion {
    let boundary = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.') || also.contains(&c));
    let start = line
        .rfind(boundary)
        .map_or(0, |at| at + line.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8));
    let begun = line.get(start..).unwrap_or("");
    candidates.retain(|candidate| candidate.starts_with(begun) && candidate != begun);
    candidates.sort();
    candidates.dedup();
    Completion { start, candidates }
}

/// Completes the thread after the full stop of a set, from the threads of the shown rank; `None` outside of one.
fn threads(line: &str, state: &State) -> Option<Completion> {
    let (before, digits) = line.rsplit_once('.')?;
    let is_after_set = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ')' | '}'));
    if !is_after_set || !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let known = state.inspection.threads.value().into_iter().flatten();
    let known = known.map(|thread| thread.id.to_string()).filter(|id| id.starts_with(digits) && id != digits);
    let all = digits.is_empty().then(|| "*".to_owned());
    Some(Completion { start: before.len() + 1, candidates: all.into_iter().chain(known).collect() })
}

fn sets(state: &State) -> Vec<String> {
    PREDICATES.iter().map(|&name| name.to_owned()).chain(state.groups.keys().cloned()).collect()
}

/// An unfinished name of a member at the end of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberBegun<'a> {
    /// The expression before the dot or arrow.
    pub object: String,
    /// The typed beginning of the member's name.
    pub begun: &'a str,
}

/// Returns the member being typed at the end of a line, so that the caller can fetch its object. Objects whose
/// evaluation calls a function or changes something are left out.
pub fn member_begun(line: &str) -> Option<MemberBegun<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = line.trim_end_matches(is_word).len();
    let (front, begun) = line.split_at_checked(start)?;
    let (object, arrow) = match front.strip_suffix("->") {
        Some(object) => (object, true),
        None => (front.strip_suffix('.')?, false),
    };
    // Names, members and elements; a `>` ends an arrow or is a comparison.
    let arrow_at = |at: usize| object.get(..=at).is_some_and(|text| text.ends_with("->"));
    let dash_at = |at: usize| object.get(at..).is_some_and(|text| text.starts_with("->"));
    let belongs = |(at, c): &(usize, char)| match c {
        '.' | '[' | ']' | ':' | '$' => true,
        '>' => arrow_at(*at),
        '-' => dash_at(*at),
        c => is_word(*c),
    };
    // What is in parentheses belongs to it as a whole: `(*v)[0]`. Behind a name they would be a call.
    let mut first = None;
    let mut inner = 0_u32;
    for (at, c) in object.char_indices().rev() {
        match c {
            ')' => inner += 1,
            '(' if inner > 0 => inner -= 1,
            '*' | '&' | ' ' if inner > 0 => {}
            _ if belongs(&(at, c)) => {}
            _ => break,
        }
        first = Some(at);
    }
    let object = object.get(first?..)?;
    if inner > 0 || calls(object) {
        return None;
    }
    let is_name = object.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | ':' | '('));
    let whole = object.matches('[').count() == object.matches(']').count();
    let takes_one = command_of(line).is_some_and(takes_names);
    let object = if arrow { format!("*({object})") } else { object.to_owned() };
    (is_name && whole && takes_one && !begun.starts_with(|c: char| c.is_ascii_digit()))
        .then_some(MemberBegun { object, begun })
}

/// True if a name or an element stands before parentheses: its evaluation would call a function.
fn calls(object: &str) -> bool {
    object.match_indices('(').any(|(at, _)| {
        let before = object.get(..at).unwrap_or("");
        before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | ' '))
    })
}

/// Returns the members with this beginning, if the object is known.
fn members(member: &MemberBegun<'_>, state: &State) -> Vec<String> {
    let asked = state.inspection.expressions.iter().find(|(expression, _)| *expression == member.object);
    let shown = asked.and_then(|(_, lookup)| lookup.value());
    let Some(VariableValue::Known(datum)) = shown.map(|shown| &shown.value) else { return Vec::new() };
    let mut names: Vec<String> = datum.descriptor.parse().map(|ty| member_names(&ty)).unwrap_or_default();
    names.retain(|name| name.starts_with(member.begun) && name != member.begun);
    names.sort();
    names.dedup();
    names
}

/// Returns the member that a misspelt one of an expression most likely means, if its object is on the screen.
pub(crate) fn nearest_member(name: &str, expression: &str, state: &State) -> Option<String> {
    let behind =
        |at: &usize| expression.get(..*at).is_some_and(|before| before.ends_with('.') || before.ends_with("->"));
    let at = expression.match_indices(name).map(|(at, _)| at).find(behind)?;
    let line = format!("print {}", expression.get(..at)?);
    let member = member_begun(&line)?;
    let shown = [&state.inspection.locals, &state.inspection.arguments];
    let shown = shown.into_iter().flat_map(|lookup| lookup.value().into_iter().flatten());
    let of_shown = shown.filter(|shown| shown.name == member.object).filter_map(|shown| match &shown.value {
        VariableValue::Known(datum) => datum.descriptor.parse().ok().map(|ty| member_names(&ty)),
        VariableValue::Unknown { .. } => None,
    });
    let names: Vec<String> = members(&member, state).into_iter().chain(of_shown.flatten()).collect();
    nearest_of_few(name, names.iter().map(String::as_str)).map(str::to_owned)
}

/// True if the command's arguments contain names of variables.
fn takes_names(entry: &Entry) -> bool {
    matches!(entry.arguments, ArgumentKind::Expression | ArgumentKind::ExpressionBehind(_) | ArgumentKind::Setting)
}

/// Returns the command of a line, after its set.
fn command_of(line: &str) -> Option<&'static Entry> {
    let body = match line.trim_start().strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.1,
        None => line,
    };
    let name = body.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).next()?;
    table::find(name).ok()
}

/// Returns the beginning of the variable's name being typed, so that the caller can fetch the program's names.
pub fn name_begun(line: &str) -> Option<&str> {
    let (front, name) = names::last_word(line);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !front.ends_with(['.', '>']);
    let takes_one = command_of(front).is_some_and(takes_names);
    (is_name && name.len() > 1 && takes_one).then_some(name)
}

/// Returns the functions and files that are known, and the places with breakpoints.
fn locations(state: &State, begun: &str) -> Vec<String> {
    let files = state.known_files().into_iter().map(|file| format!("{file}:"));
    // Of one file, once it has been typed.
    let in_files = state.known_functions_of_files().into_iter();
    let in_files =
        in_files.filter(|(file, _)| begun.strip_prefix(file.as_str()).is_some_and(|rest| rest.starts_with(':')));
    let in_files = in_files.map(|(file, name)| format!("{file}:{name}"));
    let places = state.breakpoints.values().filter_map(|b| b.request.point.place()).map(ToString::to_string);
    state.known_functions().into_iter().chain(files).chain(in_files).chain(places).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Lookup, SourceText};
    use model::ProcessSet;

    #[test]
    fn names_of_variables_are_completed_as_far_as_they_are_known() {
        let mut state = State::default();
        let variable = |name: &str| crate::state::ShownVariable {
            name: name.to_owned(),
            value: model::VariableValue::Unknown { why: String::new(), type_name: String::new() },
            changed: false,
            previous: None,
        };
        state.inspection.locals = Lookup::Known(vec![variable("count"), variable("total")]);
        state.inspection.arguments = Lookup::Known(vec![variable("cells")]);
        assert_eq!(complete("print coun", &state).candidates, ["count"]);
        state.inspection.names = Lookup::Known(vec!["counter".to_owned()]);
        assert_eq!(complete("print coun", &state).candidates, ["count", "counter"]);
        assert_eq!(complete("set var to", &state).candidates, ["total"]);
        assert_eq!(complete("[0-3] p/x total + ce", &state).candidates, ["cells"]);
    }

    #[test]
    fn a_misspelt_member_of_a_variable_on_the_screen_is_found() {
        let mut state = State::default();
        let descriptor = "{cell|t=f8,id=is4;;;}".into();
        let datum = model::Datum { descriptor, data: vec![0; 12], type_name: String::new() };
        let value = VariableValue::Known(datum);
        let shown = crate::state::ShownVariable { name: "cell".into(), value, changed: false, previous: None };
        state.inspection.locals = Lookup::Known(vec![shown]);
        assert_eq!(nearest_member("idd", "2 * cell.idd", &state).as_deref(), Some("id"));
    }

    #[test]
    fn threads_of_a_set_are_completed_from_those_of_the_shown_rank() {
        let mut state = State::default();
        let thread = |id| model::ThreadInfo {
            id: model::ThreadId(id),
            current: id == 1,
            name: String::new(),
            frame: None,
            user: None,
        };
        state.inspection.threads = Lookup::Known(vec![thread(1), thread(2), thread(12)]);
        let completed = |line| {
            let Completion { start, candidates } = complete(line, &state);
            (start, candidates.join(" "))
        };
        assert_eq!(completed("focus 0-3."), (10, "* 1 2 12".to_owned()));
        assert_eq!(completed("[0-3.1"), (5, "12".to_owned()));
        assert_eq!(completed("[in(main).").1, "* 1 2 12");
        assert_eq!(completed("focus al").1, "all");
        assert_eq!(completed("focus ."), (6, String::new()), "the focus");
    }

    #[test]
    fn locations_are_completed_from_the_sources_that_are_shown() {
        let mut state = State::default();
        let text = "static double kernel(int n)\n{\n}\nvoid grid::update(int n) {\n}\n";
        let source = SourceText::new("/src/stencil.c".into(), text.into());
        state.inspection.sources.insert("/src/stencil.c".into(), Lookup::Known(source));
        assert_eq!(complete("break ker", &state).candidates, ["kernel"]);
        assert_eq!(complete("break ", &state).candidates, ["grid::update", "kernel", "stencil.c:"]);
        let completion = complete("tbreak grid::u", &state);
        assert_eq!((completion.start, completion.candidates), (7, vec!["grid::update".to_owned()]));
        assert_eq!(complete("list sten", &state).candidates, ["stencil.c:"]);
        assert_eq!(complete("break stencil.c:k", &state).candidates, ["stencil.c:kernel"]);
        assert_eq!(complete("break stencil.c:", &state).candidates, ["stencil.c:grid::update", "stencil.c:kernel"]);
    }

    #[test]
    fn a_name_that_is_typed_is_known_from_a_member_or_a_command() {
        for (line, begun) in [
            ("print coun", Some("coun")),
            ("[0-3] p/x a + co", Some("co")),
            ("set var ma", Some("ma")),
            ("print c", None),
            ("print cell.co", None),
            ("print cell->co", None),
            ("print 12", None),
            ("print model::Fi", Some("model::Fi")),
            ("print 2 * outer::model::", Some("outer::model::")),
            ("print a ? b :co", Some("co")),
            ("pri", None),
            ("break ma", None),
            ("", None),
        ] {
            assert_eq!(name_begun(line), begun, "{line}");
        }
    }

    #[test]
    fn a_member_that_is_typed_is_known_with_its_object() {
        for (line, found) in [
            ("print cell.", Some(("cell", ""))),
            ("print cell.co", Some(("cell", "co"))),
            ("[0-3] p/x a + p->next->", Some(("*(p->next)", ""))),
            ("print a[i].b.c", Some(("a[i].b", "c"))),
            ("set var $1.x", Some(("$1", "x"))),
            ("p (*v)[0].", Some(("(*v)[0]", ""))),
            ("p (&h)->x.", Some(("(&h)->x", ""))),
            ("p 2 + ((*p).next)->", Some(("*(((*p).next))", ""))),
            ("p (x + f(y)).m", None),
            ("p (f)(y).m", None),
            ("p (x = y).m", None),
            ("p x)->m", None),
            ("print ns::object.m", Some(("ns::object", "m"))),
            ("print x > y.m", Some(("y", "m"))),
            ("print x>y->m", Some(("*(y)", "m"))),
            ("print 1.", None),
            ("print f(x).m", None),
            ("print a[i = 2].m", None),
            ("print cell.2", None),
            ("print cell", None),
            ("break ring.c", None),
            (".", None),
        ] {
            let member = member_begun(line);
            assert_eq!(member.as_ref().map(|one| (one.object.as_str(), one.begun)), found, "{line}");
        }
    }

    #[test]
    fn each_argument_completes_as_what_it_is() {
        let mut state = State::default();
        state.groups.insert("left".into(), ProcessSet::range(0, 1));
        for (line, start, candidates) in [
            ("ste", 0, vec!["step", "stepi"]),
            ("[0-3] unh", 6, vec!["unhold"]),
            ("[le", 1, vec!["left"]),
            ("focus st", 6, vec!["state", "stopped"]),
            ("focus all - le", 12, vec!["left"]),
            ("handle SIGUSR", 7, vec!["SIGUSR1", "SIGUSR2"]),
            ("handle SIGUSR1 nos", 15, vec!["nostop"]),
            ("set pat", 4, vec!["patience"]),
            ("wait ex", 5, vec!["exited"]),
            ("ungroup ", 8, vec!["left"]),
            ("nonsense x", 10, vec![]),
            ("print x # ste", 13, vec![]),
            ("info br", 5, vec!["break", "breakpoints"]),
            ("[0-3] i sour", 8, vec!["source", "sources"]),
            ("set print pre", 10, vec!["pretty"]),
            ("set print pretty ", 17, vec!["off", "on"]),
            ("show pagi", 5, vec!["pagination"]),
        ] {
            let completion = complete(line, &state);
            assert_eq!(
                (completion.start, completion.candidates),
                (start, candidates.iter().map(|&c| c.to_owned()).collect()),
                "{line}"
            );
        }
    }
}
