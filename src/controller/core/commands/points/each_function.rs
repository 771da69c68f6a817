//! `rbreak`: a breakpoint at each function whose name matches a regular expression.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{
    Answer, Breakpoint, BreakpointId, BreakpointRequest, LocationSpec, Operation, ProcessSet, QUALIFIED, Severity,
    SymbolList, SymbolQuery,
};
use std::collections::BTreeMap;

/// Requests the functions.
pub(in crate::core) fn search(core: &mut Interpreter, id: CommandId, target: Target, query: Box<SymbolQuery>) {
    let operation = Operation::ListSymbols(core.context(&target), query.clone());
    core.ask_stopped(id, target, operation, Then::EachFunction(query));
}

/// Sets a breakpoint at each function that was found; true if the command continues.
pub(in crate::core) fn functions_known(
    core: &mut Interpreter,
    id: CommandId,
    query: &SymbolQuery,
    good: Answers,
) -> bool {
    let mut places = Places::default();
    for (_, ranks, answer) in good {
        let Answer::SymbolList(list) = answer else { continue };
        let list = without_stubs(*list);
        if let Some(why) = refusal(query, &list) {
            core.error(id, ranks, why, None);
            continue;
        }
        if !list.unsearched.is_empty() {
            let words = format!("not searched, for lack of time: {}", list.unsearched.join(", "));
            core.say(id, Content::Message(Severity::Warning, ranks.clone(), words));
        }
        for location in locations(query, &list) {
            places.add(location, &ranks);
        }
    }
    if places.0.is_empty() {
        return false;
    }
    let (mut numbers, mut questions) = (Vec::new(), Vec::new());
    for (ranks, location) in places.0 {
        let request = BreakpointRequest::at(core.numbers.next_breakpoint(), LocationSpec::Function(location));
        core.numbers.breakpoint_taken();
        numbers.push(request.id);
        core.state.breakpoints.insert(request.id, Breakpoint::asked(request.clone(), ranks.clone()));
        questions.push((ranks, Operation::SetBreakpoint(request)));
    }
    core.numbers.set_together(numbers.len());
    core.ask(id, questions, Then::Breakpoints(numbers));
    true
}

/// Says which breakpoints were set, if it is more than one, and for how many functions there is none.
pub(in crate::core) fn told(core: &mut Interpreter, id: CommandId, numbers: &[BreakpointId], nowhere: &[Breakpoint]) {
    let set = || numbers.iter().filter_map(|number| core.state.breakpoints.get(number));
    let ranks = set().fold(ProcessSet::new(), |sum, breakpoint| sum.union(&breakpoint.ranks));
    if numbers.len() > 1 {
        let words = format!("{} breakpoints; delete {} deletes them", numbers.len(), ranges(numbers));
        core.say(id, Content::Message(Severity::Note, ranks, words));
    }
    let Some(first) = nowhere.first() else { return };
    let ranks = nowhere.iter().fold(ProcessSet::new(), |sum, breakpoint| sum.union(&breakpoint.ranks));
    let name = first.request.point.to_string();
    let name = name.strip_prefix(QUALIFIED).unwrap_or(&name);
    let others = match nowhere.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} more of the functions"),
    };
    let words = format!("no rank has code of {name}{others}: no breakpoint is set there");
    if numbers.is_empty() {
        core.error(id, ranks, words, None);
    } else {
        core.say(id, Content::Message(Severity::Note, ranks, words));
    }
}

/// Returns numbers as `delete` takes them: `2-4 7`.
fn ranges(numbers: &[BreakpointId]) -> String {
    let runs = numbers.chunk_by(|one, next| one.0.checked_add(1) == Some(next.0));
    let words = runs.filter_map(|run| match run {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Leaves out the stubs through which files call functions of libraries: the functions themselves match, too.
fn without_stubs(mut list: SymbolList) -> SymbolList {
    list.undescribed.retain(|symbol| !symbol.name.ends_with("@plt"));
    list
}

/// Returns why no breakpoint is set for these functions.
fn refusal(query: &SymbolQuery, list: &SymbolList) -> Option<String> {
    let described: usize = list.groups.iter().map(|group| group.symbols.len()).sum();
    let found = (described + list.undescribed.len()) as u64 + list.left_out;
    let of_file = query.file.as_ref().map_or_else(String::new, |file| format!(" of {file}"));
    if found == 0 {
        let named = query.name.as_ref().map_or_else(String::new, |name| format!(" matches {name:?}"));
        return Some(format!("no function{of_file}{named}; \"functions REGEX\" lists functions"));
    }
    let limit = query.limit;
    (found > u64::from(limit)).then(|| {
        format!(
            "{found} functions{of_file} match, more than {limit}: no breakpoint is set; use a narrower regular \
             expression (^NAME$), FILE:REGEX, or rbreak -limit {found}"
        )
    })
}

/// Returns the locations of functions, each once. A name that several files define has its file.
fn locations(query: &SymbolQuery, list: &SymbolList) -> Vec<String> {
    let named = || {
        let groups = list.groups.iter();
        groups.flat_map(|group| group.symbols.iter().filter_map(|symbol| Some((&group.file, symbol.name.as_ref()?))))
    };
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in named() {
        *files.entry(&**name).or_default() += 1;
    }
    let mut found = Vec::new();
    let mut add = |location: String| {
        if !found.contains(&location) {
            found.push(location);
        }
    };
    for (file, name) in named() {
        let is_one = files.get(&**name).is_none_or(|files| *files == 1);
        let place = match &query.file {
            Some(file) => format!("{file}:{name}"),
            None if is_one => name.to_string(),
            None => format!("{file}:{name}"),
        };
        // Else `f(int)` would also mean `ns::f(int)`.
        let qualified = if name.contains('(') { QUALIFIED } else { "" };
        add(format!("{qualified}{place}"));
    }
    for symbol in list.undescribed.iter().filter(|symbol| !files.contains_key(&*symbol.name)) {
        add(symbol.name.to_string());
    }
    found
}

/// The locations of functions, each with the ranks that have it.
#[derive(Default)]
struct Places(Vec<(ProcessSet, String)>);

impl Places {
    fn add(&mut self, location: String, ranks: &ProcessSet) {
        match self.0.iter_mut().find(|(_, known)| *known == location) {
            Some((set, _)) => set.extend_with(ranks),
            None => self.0.push((ranks.clone(), location)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, ListedSymbol, SymbolKind, UndescribedSymbol};

    fn list(functions: &[(&str, &str)], undescribed: &[&str]) -> SymbolList {
        let mut list = SymbolList::default();
        for (file, name) in functions {
            let symbol = ListedSymbol { line: None, name: Some((*name).into()), text: String::new() };
            list.add(&(*file).into(), symbol);
        }
        for name in undescribed {
            let code = CodePlace { module: None, offset: 0, address: None };
            list.undescribed.push(UndescribedSymbol { name: (*name).into(), code });
        }
        list
    }

    #[test]
    fn a_function_is_named_as_briefly_as_it_is_clear() {
        let query = SymbolQuery::all(SymbolKind::Functions, 9);
        let all = list(&[("a.c", "f"), ("a.c", "g"), ("b.c", "g"), ("c.cpp", "f(int)")], &["f", "h", "h", "p@plt"]);
        let expected = ["f", "a.c:g", "b.c:g", "-qualified f(int)", "h"];
        assert_eq!(locations(&query, &without_stubs(all)), expected);
        let of_file = SymbolQuery { file: Some("c.cpp".into()), ..query };
        assert_eq!(locations(&of_file, &list(&[("c.cpp", "f(int)")], &[])), ["-qualified c.cpp:f(int)"]);
    }

    #[test]
    fn too_many_functions_are_refused_with_their_number() {
        let query = SymbolQuery { name: Some("^f".into()), ..SymbolQuery::all(SymbolKind::Functions, 1) };
        assert_eq!(refusal(&query, &list(&[("a.c", "f")], &[])), None);
        let why = refusal(&query, &SymbolList { left_out: 7, ..list(&[("a.c", "f")], &[]) }).unwrap();
        assert!(why.starts_with("8 functions match, more than 1: ") && why.ends_with("rbreak -limit 8"), "{why}");
        assert!(refusal(&query, &list(&[], &[])).unwrap().starts_with("no function matches \"^f\""));
    }
    #[test]
    fn numbers_are_told_as_delete_takes_them() {
        let told = |numbers: &[u32]| ranges(&numbers.iter().copied().map(BreakpointId).collect::<Vec<_>>());
        assert_eq!((told(&[2, 3]), told(&[2, 4, 5, 6, 9])), ("2-3".into(), "2 4-6 9".into()));
    }
}
