//! Finds the file that a name in debug information means, in gdb's order (gdb manual, "Specifying Source Directories"),
//! and more patiently than gdb: below a named directory, the longest end of the path that is there counts.

use super::recorded::RecordedSource;
use model::{COMPILATION_DIRECTORY, SourceRules, WORKING_DIRECTORY};

/// Parts of a path that are tried as its end. No compiler nests deeper, but a damaged file may.
const DEEPEST: usize = 64;
/// The longest path that the kernel opens.
const LONGEST: usize = 4096;

/// The directories that stand for other words, on the host that has the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The directory in which the job was started; relative directories begin there.
    pub working: String,
    /// The user's home, which `~` means.
    pub home: String,
    /// The program's file.
    pub program: String,
}

impl Surroundings {
    /// Returns the path of a directory that the user named.
    fn directory(&self, named: &str, compilation: &str) -> String {
        let named = match named.strip_prefix(COMPILATION_DIRECTORY) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{compilation}{rest}"),
            _ => match named.strip_prefix(WORKING_DIRECTORY) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.working),
                _ => named.to_owned(),
            },
        };
        match named.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.home),
            _ => joined(&self.working, &named),
        }
    }
}

/// Joins a path to a directory, unless it is absolute.
fn joined(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() { path.to_owned() } else { below(directory, path) }
}

/// Joins a path, absolute or not, to a directory.
fn below(directory: &str, path: &str) -> String {
    format!("{}/{}", directory.trim_end_matches('/'), path.trim_start_matches('/'))
}

/// Returns the last parts of an absolute path, longest first, without the whole path.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.match_indices('/').map(|(at, _)| at).skip(1);
    let ends: Vec<&str> = slashes.filter_map(|at| path.get(at + 1..)).filter(|end| !end.is_empty()).collect();
    let skipped = ends.len().saturating_sub(DEEPEST);
    ends.into_iter().skip(skipped)
}

/// Returns the paths at which a file may be, the first one first.
pub fn source_candidates(recorded: &RecordedSource, rules: &SourceRules, here: &Surroundings) -> Vec<String> {
    let of_rules = |path: &str| rules.rewritten(path).unwrap_or_else(|| path.to_owned());
    let (name, compilation) = (of_rules(&recorded.name), of_rules(&recorded.compilation));
    let directories: Vec<(&String, String)> =
        rules.directories().iter().map(|named| (named, here.directory(named, &compilation))).collect();
    let directories: Vec<_> = directories.into_iter().filter(|(_, path)| !path.is_empty()).collect();
    let in_each = |path: &str| directories.iter().map(|(_, directory)| below(directory, path)).collect::<Vec<_>>();
    let mut found = Vec::new();
    if name.starts_with('/') {
        found.push(name.clone());
    }
    found.extend(in_each(&name));
    if !name.starts_with('/') && !compilation.is_empty() {
        let whole = joined(&compilation, &name);
        found.extend(Some(whole.clone()).filter(|whole| whole.starts_with('/')));
        found.extend(in_each(&whole));
    }
    found.push(of_rules(&recorded.path));
    let named: Vec<&str> = directories
        .iter()
        .filter(|(named, _)| !matches!(named.as_str(), COMPILATION_DIRECTORY | WORKING_DIRECTORY))
        .map(|(_, path)| path.as_str())
        .collect();
    for end in ends(&recorded.path) {
        found.extend(named.iter().map(|directory| below(directory, end)));
    }
    if let Some(base) = recorded.path.rsplit('/').next().filter(|base| !base.is_empty()) {
        found.extend(in_each(base));
    }
    found.retain(|path| path.len() < LONGEST);
    found
}

/// Returns the path at which a file is.
pub fn source_path(
    recorded: &RecordedSource,
    rules: &SourceRules,
    here: &Surroundings,
    is_there: impl Fn(&str) -> bool,
) -> Option<String> {
    source_candidates(recorded, rules, here).into_iter().find(|path| is_there(path))
}

/// The rule that would find a file that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The directory of the compilation whose files are elsewhere.
    pub from: String,
    /// The directory that seems to have them; `None` if the user must know.
    pub to: Option<String>,
}

/// Returns the rule that would find a file: by a directory around the program or around the working directory that has
/// the end of its path, or else by the directory of the compilation.
pub fn advice(recorded: &RecordedSource, here: &Surroundings, is_there: impl Fn(&str) -> bool) -> Advice {
    let path = recorded.path.as_str();
    let around: Vec<&str> = [parent(&here.program), here.working.as_str()].into_iter().flat_map(ancestors).collect();
    for end in ends(path) {
        let from = path.get(..path.len() - end.len()).unwrap_or_default().trim_end_matches('/');
        let holds = |directory: &&&str| **directory != from && is_there(&below(directory, end));
        if let Some(to) = around.iter().find(holds) {
            return Advice { from: from.to_owned(), to: Some((*to).to_owned()) };
        }
    }
    let shared = ancestors(&recorded.compilation)
        .find(|directory| path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')));
    let from = shared.unwrap_or_else(|| parent(path));
    Advice { from: if from.is_empty() { "/" } else { from }.to_owned(), to: None }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns a directory and those around it, without the root.
fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    let first = Some(directory.trim_end_matches('/')).filter(|directory| directory.starts_with('/'));
    std::iter::successors(first, |inner| Some(parent(inner)).filter(|outer| !outer.is_empty())).take(DEEPEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn recorded(name: &str, compilation: &str, path: &str) -> RecordedSource {
        let [name, compilation, path] = [name, compilation, path].map(str::to_owned);
        RecordedSource { name, compilation, path, md5: None }
    }

    fn here() -> Surroundings {
        let [working, home, program] = ["/run", "/home/me", "/home/me/wave/bin/wave"].map(str::to_owned);
        Surroundings { working, home, program }
    }

    fn rules(directories: &str, substitutions: &[&str]) -> SourceRules {
        let mut rules = SourceRules::default();
        rules.search_first(directories).unwrap();
        substitutions.iter().for_each(|rule| rules.substitute(rule).unwrap());
        rules
    }

    /// Of these files, the one that is found.
    fn found(recorded: &RecordedSource, rules: &SourceRules, files: &[&str]) -> Option<String> {
        source_path(recorded, rules, &here(), |path| files.contains(&path))
    }

    #[test]
    fn without_rules_a_file_is_where_it_was_compiled_or_in_the_working_directory() {
        let relative = recorded("src/a.c", "/build", "/build/src/a.c");
        let none = rules("", &[]);
        let all = ["/build/src/a.c", "/run/src/a.c", "/run/build/src/a.c", "/build/a.c", "/run/a.c"];
        for from in 0..all.len() {
            assert_eq!(found(&relative, &none, &all[from..]).as_deref(), Some(all[from]));
        }
        assert_eq!(found(&relative, &none, &["/elsewhere/a.c"]), None);
        let absolute = recorded("/build/src/a.c", "/build", "/build/src/a.c");
        assert_eq!(found(&absolute, &none, &all).as_deref(), Some("/build/src/a.c"));
    }

    #[test]
    fn a_named_directory_precedes_where_a_relative_name_was_compiled() {
        let relative = recorded("src/a.c", "/build", "/build/src/a.c");
        let named = rules("/new", &[]);
        assert_eq!(found(&relative, &named, &["/build/src/a.c", "/new/src/a.c"]).as_deref(), Some("/new/src/a.c"));
        // gdb opens an absolute name as it is.
        let absolute = recorded("/build/src/a.c", "/build", "/build/src/a.c");
        let both = ["/build/src/a.c", "/new/src/a.c"];
        assert_eq!(found(&absolute, &named, &both).as_deref(), Some("/build/src/a.c"));
    }

    #[test]
    fn the_longest_end_of_a_path_below_a_named_directory_counts() {
        let file = recorded("/build/app/src/io/a.c", "/build", "/build/app/src/io/a.c");
        let named = rules("/other:~/app:rel", &[]);
        let files = ["/run/rel/io/a.c", "/home/me/app/src/io/a.c", "/home/me/app/io/a.c", "/other/a.c"];
        for (from, expected) in [(0, files[1]), (2, files[2])] {
            assert_eq!(found(&file, &named, &files[from..]).as_deref(), Some(expected));
        }
        assert_eq!(found(&file, &named, &files[..1]).as_deref(), Some(files[0]));
        assert_eq!(found(&file, &named, &files[3..]).as_deref(), Some(files[3]));
        // Only the base name is looked up in directories that nobody named.
        assert_eq!(found(&file, &rules("", &[]), &["/run/io/a.c"]), None);
    }

    #[test]
    fn a_rule_replaces_the_compilation_directory_and_an_absolute_name() {
        let moved = rules("", &["/build /new"]);
        let both = ["/build/src/a.c", "/new/src/a.c"];
        for file in [recorded("src/a.c", "/build", both[0]), recorded(both[0], "/build", both[0])] {
            assert_eq!(found(&file, &moved, &both).as_deref(), Some("/new/src/a.c"), "{file:?}");
        }
        let above = recorded("../src/a.c", "/build/obj", "/build/src/a.c");
        assert_eq!(found(&above, &moved, &["/new/obj/../src/a.c"]).as_deref(), Some("/new/obj/../src/a.c"));
        // The directory of the objects may be gone.
        assert_eq!(found(&above, &moved, &["/new/src/a.c"]).as_deref(), Some("/new/src/a.c"));
        assert_eq!(
            found(&above, &rules("$cdir/../src", &[]), &["/build/obj/../src/a.c"]).as_deref(),
            Some("/build/obj/../src/a.c")
        );
    }

    #[test]
    fn the_advice_names_the_directory_that_has_the_end_of_the_path() {
        let file = recorded("src/a.c", "/build/wave", "/build/wave/src/a.c");
        let to = |files: &[&str]| {
            let Advice { from, to } = advice(&file, &here(), |path| files.contains(&path));
            (from, to.unwrap_or_default())
        };
        let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        assert_eq!(to(&["/home/me/wave/src/a.c", "/run/a.c"]), pair("/build", "/home/me"));
        assert_eq!(to(&["/run/src/a.c"]), pair("/build/wave", "/run"));
        assert_eq!(to(&["/home/me/wave/bin/a.c"]), pair("/build/wave/src", "/home/me/wave/bin"));
        assert_eq!(to(&[]), pair("/build/wave", ""));
        let header = recorded("/usr/include/b.h", "/build/wave", "/usr/include/b.h");
        assert_eq!(advice(&header, &here(), |_| false).from, "/usr/include");
        assert_eq!(advice(&recorded("", "", "/a.c"), &here(), |_| false).from, "/");
        assert_eq!(advice(&recorded("", "", "a.c"), &Surroundings::default(), |_| true).from, "/");
    }

    #[test]
    fn a_damaged_path_has_few_candidates() {
        let deep = "/x".repeat(100_000);
        let file = recorded(&deep, &deep, &deep);
        let all = rules(&(0..200).map(|number| format!("/{number} ")).collect::<String>(), &[]);
        assert!(source_candidates(&file, &all, &here()).len() < 70 * 202);
        assert_eq!(advice(&file, &here(), |_| false).to, None);
    }

    proptest! {
        #[test]
        fn the_advised_rule_finds_the_file(parts in proptest::collection::vec("[ab]", 2..6), kept in 1_usize..5, at in 0_usize..3) {
            let path = format!("/{}", parts.join("/"));
            let file = recorded(&path, "", &path);
            let end = parts[parts.len() - kept.min(parts.len() - 1)..].join("/");
            let directory = ["/run", "/home/me/wave/bin", "/home/me"][at];
            let there = below(directory, &end);
            let Advice { from, to } = advice(&file, &here(), |path| path == there);
            let rule = rules("", &[&format!("{from} {}", to.unwrap())]);
            prop_assert_eq!(source_path(&file, &rule, &here(), |path| path == there), Some(there.clone()));
        }

        #[test]
        fn where_all_files_are_the_first_candidate_is_taken(
            name in "(/?[ab.]{1,3}){1,4}",
            directory in "/[ab]{1,2}",
            from in "/[ab]",
        ) {
            let file = recorded(&name, "/a/b", &format!("/a/b/{name}"));
            let all = rules(&directory, &[&format!("{from} /new")]);
            let candidates = source_candidates(&file, &all, &here());
            prop_assert!(candidates.iter().all(|path| path.starts_with('/')));
            prop_assert_eq!(source_path(&file, &all, &here(), |_| true), candidates.first().cloned());
            prop_assert_eq!(source_path(&file, &all, &here(), |_| false), None);
        }
    }
}
