//! Names of the program that are known without asking a rank, for completion and for suggestions.

use super::{Lookup, ShownVariable, SourceText, State};
use model::aif::enumerators;
use model::{ProcessState, VariableValue};
use std::collections::BTreeSet;

/// Lines of a source that are searched for functions.
const MOST_LINES: u32 = 20_000;

impl State {
    /// Returns the functions on the shown stacks, at the places of all stopped ranks, and in the sources read so far.
    pub fn known_functions(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut add = |name: Option<&str>| names.extend(name.map(str::to_owned));
        for (_, state) in self.ranks.groups() {
            let ProcessState::Stopped(stop) = state else { continue };
            add(stop.frame.function.as_deref());
            if let Some(user) = &stop.user {
                add(user.frame.function.as_deref());
                add(user.call.as_deref());
            }
        }
        for frame in self.inspection.stack.value().into_iter().flat_map(|stack| stack.iter()) {
            add(frame.function.as_deref());
        }
        for source in self.inspection.sources.values().filter_map(|source| source.value()) {
            names.extend(functions_in(source));
        }
        names
    }

    /// Returns the variables of the shown frame, and global ones as far as they have been fetched.
    pub fn known_variables(&self) -> BTreeSet<String> {
        let shown = [&self.inspection.locals, &self.inspection.arguments];
        let of_frame = shown.into_iter().filter_map(|lookup| lookup.value()).flatten();
        let globals = self.inspection.names.value().into_iter().flatten();
        of_frame.map(|variable| &variable.name).chain(globals).cloned().collect()
    }

    /// Returns the variables in the order in which they are offered: local variables, parameters, global ones of the
    /// user's own code, and those of libraries.
    pub fn variables_in_order(&self) -> Vec<Vec<String>> {
        let sorted = |names: BTreeSet<&String>| names.into_iter().cloned().collect();
        let of_frame = |lookup: &Lookup<Vec<ShownVariable>>| {
            sorted(lookup.value().into_iter().flatten().map(|variable| &variable.name).collect())
        };
        let own = self.inspection.own_names.value();
        let globals = self.inspection.names.value().into_iter().flatten();
        let (own, others) = globals.partition(|name| own.is_some_and(|own| own.contains(*name)));
        vec![of_frame(&self.inspection.locals), of_frame(&self.inspection.arguments), sorted(own), sorted(others)]
    }

    /// Returns the names of types that have been fetched: those with this tag, such as `struct`, or those that stand
    /// for a type without one.
    pub fn known_types(&self, tag: Option<&str>) -> BTreeSet<String> {
        let declarations = self.inspection.types.value().into_iter().flatten();
        let is_tag = |word: &str| matches!(word, "struct" | "union" | "enum" | "class");
        let mut names = BTreeSet::new();
        for declaration in declarations {
            let text = declaration.trim_end_matches(';').trim_end();
            let (first, rest) = text.split_once(' ').unwrap_or(("", text));
            // C++ needs no tag, and gdb shows none. Base types have no semicolon.
            let fits = match tag {
                Some(tag) => first == tag || first.is_empty() && declaration.ends_with(';'),
                None => !is_tag(first),
            };
            let start = rest.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')).len();
            let name = rest.get(start..).unwrap_or("");
            if fits && name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                names.insert(name.to_owned());
            }
        }
        names
    }

    /// Returns the enumerators of the shown variables.
    pub fn known_enumerators(&self) -> BTreeSet<String> {
        let shown = [&self.inspection.locals, &self.inspection.arguments];
        let data = shown.into_iter().filter_map(|lookup| lookup.value()).flatten();
        let mut names = BTreeSet::new();
        for variable in data {
            if let VariableValue::Known(datum) = &variable.value
                && let Ok(ty) = datum.descriptor.parse()
            {
                names.extend(enumerators(&ty));
            }
        }
        names
    }

    /// Returns the names of the sources read so far, without their directories.
    pub fn known_files(&self) -> BTreeSet<String> {
        let known = self.inspection.sources.iter().filter(|(_, source)| source.value().is_some());
        known.filter_map(|(path, _)| path.rsplit('/').next().map(str::to_owned)).collect()
    }

    /// Returns the functions that the sources read so far define, each with the name of its file.
    pub fn known_functions_of_files(&self) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for (path, source) in &self.inspection.sources {
            let (Some(file), Some(source)) = (path.rsplit('/').next(), source.value()) else { continue };
            found.extend(functions_in(source).into_iter().map(|name| (file.to_owned(), name)));
        }
        found
    }
}

fn functions_in(source: &SourceText) -> BTreeSet<String> {
    let lines = 1..=source.line_count().min(MOST_LINES);
    lines.filter_map(|line| defined(source.line(line)?)).collect()
}

/// Returns the function that a line of a source begins to define: in C and C++ at the left margin, in Rust after `fn`,
/// in Fortran after `function` or `subroutine`. A guess from one line is enough to complete a name.
fn defined(line: &str) -> Option<String> {
    let (head, _) = line.split_once('(')?;
    let mut words = head.split_whitespace().rev();
    let name = words.next()?.trim_start_matches(['*', '&']);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '~'));
    let keyword = words.next()?.to_lowercase();
    let is_after_keyword = matches!(keyword.as_str(), "fn" | "function" | "subroutine");
    let is_at_margin = !line.starts_with(char::is_whitespace)
        && !line.trim_end().ends_with(';')
        && !line.starts_with(['#', '/', '*', '!'])
        && !head.contains('=');
    let is_statement = matches!(keyword.as_str(), "return" | "else" | "end" | "call" | "use" | "let");
    (is_name && !is_statement && (is_after_keyword || is_at_margin)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_where_a_source_defines_them() {
        for (line, name) in [
            ("static double kernel(struct cell *c, int n)", Some("kernel")),
            ("int main(int argc, char **argv) {", Some("main")),
            ("char *name_of(int n)", Some("name_of")),
            ("void grid::update(double t)", Some("grid::update")),
            ("double kernel(int n);", None),
            ("    total += kernel(c, n);", None),
            ("    pub fn step(&mut self) {", Some("step")),
            ("  subroutine advance(cells, n)", Some("advance")),
            ("  end subroutine advance(x)", Some("advance")),
            ("  call advance(cells, n)", None),
            ("#define MAX(a, b) a", None),
            ("return f(x)", None),
            ("int table[] = { f(1) }", None),
            ("", None),
        ] {
            assert_eq!(defined(line).as_deref(), name, "{line}");
        }
    }
}
