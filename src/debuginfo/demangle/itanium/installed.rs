//! Compares symbols of the C++ library with `c++filt` of GNU binutils, which shares its demangler with gdb.

use super::{Extent, in_words};
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The library of the C++ compiler.
const LIBRARY: &str = "libstdc++.so.6";
/// The limit on symbols compared; a larger library is sampled evenly.
const MOST: usize = 40_000;

/// Returns the compiler's path of a library.
fn library(name: &str) -> Option<PathBuf> {
    let output = Command::new("g++").arg(format!("-print-file-name={name}")).output().unwrap();
    let path = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim());
    path.is_absolute().then_some(path)
}

/// Returns the C++ symbols that a library defines or needs.
fn symbols(library: &PathBuf) -> Vec<String> {
    let data = std::fs::read(library).unwrap();
    let file = object::File::parse(&*data).unwrap();
    let all = file.dynamic_symbols().chain(file.symbols()).filter_map(|symbol| symbol.name().ok().map(str::to_owned));
    let all: BTreeSet<String> = all.filter(|name| name.starts_with("_Z")).collect();
    let step = all.len().div_ceil(MOST).max(1);
    all.into_iter().step_by(step).collect()
}

fn filtered(symbols: &[String]) -> Vec<String> {
    let mut filter = Command::new("c++filt").arg("-i").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = filter.stdin.take().unwrap();
    let text = symbols.join("\n") + "\n";
    // `c++filt` writes while it reads.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = filter.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn symbols_of_the_library_are_those_of_binutils() {
    let library = library(LIBRARY).unwrap_or_else(|| panic!("no {LIBRARY}"));
    let symbols = symbols(&library);
    let words = filtered(&symbols);
    assert_eq!(symbols.len(), words.len());
    assert!(symbols.len() > 5000, "{} names", symbols.len());
    let own = |symbol: &String| in_words(symbol, Extent::Whole).unwrap_or_else(|| symbol.clone());
    let pairs = symbols.iter().zip(&words).filter(|(symbol, words)| own(symbol) != **words);
    let differing: Vec<String> =
        pairs.map(|(symbol, words)| format!("{symbol}\n  ours    {}\n  c++filt {words}", own(symbol))).collect();
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n"));
}
