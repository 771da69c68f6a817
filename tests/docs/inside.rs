//! Keeps the inside of each layer in shape: no cyclic files, no crowded folders, no large types or functions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Known exceptions, exactly: remove a line when its subject is fixed; add none.
const CIRCLES: &[(&str, usize)] = &[];

/// Folders with more entries than fit on a screen.
const FOLDERS: &[(&str, usize)] = &[];

/// Types with so many methods that they are two types.
const TYPES: &[(&str, usize)] = &[];

/// Functions too long to read at once.
const FUNCTIONS: &[(&str, usize)] = &[];

const MOST_ENTRIES: usize = 24;
const MOST_METHODS: usize = 42;
const MOST_LINES: usize = 120;

type ModulePath = Vec<String>;

/// A file of a layer without its tests.
struct Source {
    path: PathBuf,
    krate: String,
    module: ModulePath,
    text: String,
}

impl Source {
    /// True for a table of contents: users of its parent see the names through it.
    fn is_table(&self) -> bool {
        self.path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs")
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_for_tests(path: &Path) -> bool {
    path.iter()
        .filter_map(|part| Path::new(part).file_stem()?.to_str())
        .any(|stem| matches!(stem, "test" | "tests") || stem.ends_with("_tests"))
}

fn sources() -> Vec<Source> {
    let layers = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path());
    let mut all = Vec::new();
    for layer in layers.filter(|path| path.join("Cargo.toml").exists()) {
        let mut todo = vec![layer.clone()];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let inside = path.strip_prefix(&layer).unwrap();
            if path.extension().is_none_or(|extension| extension != "rs") || is_for_tests(inside) {
                continue;
            }
            let mut module: ModulePath = inside.with_extension("").iter().map(|p| p.to_str().unwrap().into()).collect();
            if module.last().is_some_and(|last| last == "mod" || last == "lib") {
                module.pop();
            }
            let text = fs::read_to_string(&path).unwrap();
            let own = text.split("#[cfg(test)]\nmod ").next().unwrap().to_owned();
            let krate = layer.file_name().unwrap().to_str().unwrap().to_owned();
            all.push(Source { path: path.strip_prefix(root()).unwrap().to_owned(), krate, module, text: own });
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// Names, `::` and single signs, without comments.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut rest = line.split("//").next().unwrap();
        while let Some(first) = rest.chars().next() {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                ':' if rest.starts_with("::") => 2,
                _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
                _ => first.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                found.push(token);
            }
            rest = after;
        }
    }
    found
}

/// Parses a tree of `use`: each path, and its local name. Stops after the tree.
fn leaves<'a>(tree: &mut &[&'a str], before: &[&'a str], into: &mut Vec<(Vec<&'a str>, &'a str)>) {
    let mut path = before.to_vec();
    let mut name = "";
    while let Some((first, rest)) = tree.split_first() {
        match *first {
            "{" => {
                *tree = rest;
                while !matches!(tree.first(), None | Some(&("}" | ";"))) {
                    leaves(tree, &path, into);
                    if tree.first() == Some(&",") {
                        *tree = &tree[1..];
                    }
                }
                *tree = tree.get(1..).unwrap_or_default();
                return;
            }
            "," | "}" | ";" => break,
            "as" => {
                name = rest.first().unwrap_or(&"_");
                *tree = &rest[1..];
                continue;
            }
            "::" => {}
            word => path.push(word),
        }
        *tree = rest;
    }
    let known = if name.is_empty() { path.last().copied().unwrap_or_default() } else { name };
    into.push((path, known));
}

#[derive(Default)]
struct Named<'a> {
    /// Paths used from the layer's root, the file's own module or its parent.
    paths: Vec<Vec<&'a str>>,
    /// The names that others may use through this file.
    exports: BTreeMap<&'a str, Vec<&'a str>>,
}

fn named(text: &str) -> Named<'_> {
    let all = tokens(text);
    let mut found = Named::default();
    for (at, token) in all.iter().enumerate() {
        if *token == "use" {
            let mut uses = Vec::new();
            leaves(&mut &all[at + 1..], &[], &mut uses);
            let is_public = at > 0 && (all[at - 1] == "pub" || all[at - 1] == ")");
            for (path, name) in uses {
                if is_public {
                    found.exports.insert(name, path.clone());
                }
                found.paths.push(path);
            }
        } else if matches!(*token, "crate" | "super" | "self") && all.get(at + 1) == Some(&"::") {
            let mut path = vec![*token];
            for pair in all[at + 1..].chunks(2) {
                match pair {
                    ["::", name] if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => path.push(name),
                    _ => break,
                }
            }
            found.paths.push(path);
        }
    }
    found
}

struct Layers<'a> {
    sources: &'a [Source],
    named: Vec<Named<'a>>,
    /// The files by layer and module.
    files: BTreeMap<(&'a str, &'a [String]), usize>,
}

impl<'a> Layers<'a> {
    fn of(sources: &'a [Source]) -> Self {
        let files = sources.iter().enumerate().map(|(at, one)| ((one.krate.as_str(), one.module.as_slice()), at));
        Self { sources, named: sources.iter().map(|one| named(&one.text)).collect(), files: files.collect() }
    }

    fn file(&self, krate: &str, module: &[String]) -> Option<usize> {
        self.files.get(&(krate, module)).copied()
    }

    /// The file that defines the target of a path, seen from a module, through tables of contents.
    fn resolve(&self, krate: &str, module: &[String], path: &[&str], depth: usize) -> Option<usize> {
        let (first, mut rest) = path.split_first()?;
        let mut place = module.to_vec();
        match *first {
            _ if depth > 8 => return None,
            "crate" => place.clear(),
            "self" => {}
            "super" => {
                place.pop()?;
                while let Some(("super", more)) = rest.split_first().map(|(first, more)| (*first, more)) {
                    place.pop()?;
                    rest = more;
                }
            }
            name => {
                let here = self.file(krate, module)?;
                let child: ModulePath = module.iter().cloned().chain([name.to_owned()]).collect();
                if self.file(krate, &child).is_none() && !self.named[here].exports.contains_key(name) {
                    return None;
                }
                rest = path;
            }
        }
        while let Some((name, more)) = rest.split_first() {
            let child: ModulePath = place.iter().cloned().chain([(*name).to_owned()]).collect();
            if self.file(krate, &child).is_none() {
                break;
            }
            (place, rest) = (child, more);
        }
        let here = self.file(krate, &place)?;
        let export = rest.first().and_then(|name| self.named[here].exports.get(name));
        export.and_then(|path| self.resolve(krate, &place, path, depth + 1)).or(Some(here))
    }

    /// The files that each file uses.
    fn edges(&self) -> Vec<BTreeSet<usize>> {
        let of = |(at, source): (usize, &Source)| {
            if source.is_table() {
                return BTreeSet::new();
            }
            let from =
                self.named[at].paths.iter().filter(|path| matches!(path.first(), Some(&"crate" | &"super" | &"self")));
            let found = from.filter_map(|path| self.resolve(&source.krate, &source.module, path, 0));
            found.filter(|to| *to != at && !self.sources[*to].is_table()).collect()
        };
        self.sources.iter().enumerate().map(of).collect()
    }
}

/// Strongly connected components with more than one file.
fn circles(edges: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reach = |from: usize| {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(at) = todo.pop() {
            todo.extend(edges[at].iter().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..edges.len()).map(reach).collect();
    let mut found: BTreeSet<Vec<usize>> = BTreeSet::new();
    for (at, seen) in reached.iter().enumerate().filter(|(at, seen)| seen.contains(at)) {
        found.insert(seen.iter().copied().filter(|to| reached[*to].contains(&at)).collect());
    }
    found.into_iter().collect()
}

/// Compares found with known exceptions, both ways.
fn compare(what: &str, list: &str, known: &[(&str, usize)], found: &[(String, usize, String)]) {
    let mut left: Vec<(&str, usize)> = known.to_vec();
    let mut faults = Vec::new();
    for (name, size, details) in found {
        match left.iter().position(|(known, of)| known == name && of == size) {
            Some(at) => drop(left.remove(at)),
            None => faults.push(format!("{name}: {what} {size}: {details}")),
        }
    }
    for (name, size) in left {
        faults.push(format!("{name}: nothing of {size} is here any more: take (\"{name}\", {size}) out of {list}"));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_files_of_a_layer_go_round_in_a_circle() {
    let sources = sources();
    let layers = Layers::of(&sources);
    let row = |circle: Vec<usize>| {
        let paths: Vec<String> = circle.iter().map(|at| sources[*at].path.display().to_string()).collect();
        (sources[circle[0]].krate.clone(), circle.len(), paths.join(" "))
    };
    let mut found: Vec<_> = circles(&layers.edges()).into_iter().map(row).collect();
    found.sort_by_key(|(_, size, _)| std::cmp::Reverse(*size));
    compare("files name each other in a circle of", "CIRCLES", CIRCLES, &found);
}

#[test]
fn a_circle_is_found_through_what_a_parent_exports() {
    let source = |path: &str, text: &str| {
        let parts = Path::new(path).with_extension("");
        let module = parts.iter().map(|part| part.to_str().unwrap().to_owned()).filter(|part| part != "mod").collect();
        Source { path: path.into(), krate: "layer".into(), module, text: text.into() }
    };
    let mut files = vec![
        source("a/mod.rs", "mod one;\npub(crate) use one::{One, other as Same};\n"),
        source("a/one.rs", "use super::super::b::Two; // use crate::c::X;\n"),
        source("b.rs", "fn two() { crate::a::Same::new() }\n"),
        source("c.rs", "use crate::{a::One, b::{self, Two}};\n"),
    ];
    let seen = |files: &[Source]| circles(&Layers::of(files).edges());
    assert_eq!(seen(&files), [vec![1, 2]]);
    files[2].text = "fn two() {}\n".into();
    assert!(seen(&files).is_empty());
}

#[test]
fn a_folder_fits_on_a_screen() {
    let mut entries: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for source in sources().iter().filter(|source| !source.module.is_empty()) {
        let top = Path::new("src").join(&source.krate);
        for (depth, name) in source.module.iter().enumerate() {
            let folder = source.module[..depth].iter().fold(top.clone(), |path, part| path.join(part));
            entries.entry(folder).or_default().insert(name.clone());
        }
    }
    let many = entries.into_iter().filter(|(_, inside)| inside.len() > MOST_ENTRIES);
    let row = |(folder, inside): (PathBuf, BTreeSet<String>)| {
        (
            folder.display().to_string(),
            inside.len(),
            format!("more than {MOST_ENTRIES}: make folders of what goes together"),
        )
    };
    compare("entries:", "FOLDERS", FOLDERS, &many.map(row).collect::<Vec<_>>());
}

/// The type of an inherent `impl` that begins in this line.
fn implemented(line: &str) -> Option<&str> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        })?;
        rest = &rest[end + 1..];
    }
    let name = rest.trim_start();
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (!line.contains(" for ")).then_some(&name[..end])
}

/// The name of a function that begins in this line, and its indentation.
fn function(line: &str) -> Option<(&str, usize)> {
    let code = line.trim_start();
    let (before, name) = code.split_once("fn ")?;
    let said_before = |word: &str| {
        word.starts_with("pub")
            || matches!(word, "async" | "const" | "unsafe" | "extern" | "\"C\"" | "in")
            || word.ends_with(')')
    };
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (before.split_whitespace().all(said_before) && end > 0).then_some((&name[..end], line.len() - code.len()))
}

#[test]
fn a_type_with_many_methods_is_two_types() {
    let mut methods: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources() {
        let mut owner = None;
        for line in source.text.lines() {
            match line {
                _ if line.starts_with('}') => owner = None,
                _ if line.starts_with("impl") => owner = implemented(line).map(str::to_owned),
                _ => {}
            }
            if let (Some(owner), Some((_, 4))) = (&owner, function(line)) {
                *methods.entry(format!("{}::{owner}", source.krate)).or_default() += 1;
            }
        }
    }
    let many = methods.into_iter().filter(|(_, count)| *count > MOST_METHODS);
    let words = format!("more than {MOST_METHODS}: what a group of them uses alone is a type of its own");
    compare("methods:", "TYPES", TYPES, &many.map(|(name, count)| (name, count, words.clone())).collect::<Vec<_>>());
}

#[test]
fn a_function_is_read_in_one_go() {
    let mut found = Vec::new();
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((name, indent)) = function(line) else { continue };
            let ends = |line: &&str| {
                let own = line.get(..indent).is_some_and(|before| before.trim().is_empty());
                own && line
                    .get(indent..)
                    .is_some_and(|code| code.starts_with('}') || code.starts_with(')') && code.ends_with(';'))
            };
            let one_line = line.ends_with('}') || line.ends_with(';');
            let length = if one_line { 1 } else { lines[at..].iter().position(ends).map_or(1, |end| end + 1) };
            if length > MOST_LINES {
                found.push((format!("{}::{name}", source.path.display()), length, format!("more than {MOST_LINES}")));
            }
        }
    }
    compare("lines:", "FUNCTIONS", FUNCTIONS, &found);
}
