//! Names of the program that are known without asking a rank, for completion and for suggestions.

use super::{SourceText, State};
use model::ProcessState;
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

    /// Returns the names of the sources read so far, without their directories.
    pub fn known_files(&self) -> BTreeSet<String> {
        let known = self.inspection.sources.iter().filter(|(_, source)| source.value().is_some());
        known.filter_map(|(path, _)| path.rsplit('/').next().map(str::to_owned)).collect()
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
