//! The locations of breakpoints by name in real Rust programs, beside gdb's.

use crate::own::write_report;
use crate::software::subjects;
use crate::sources::Sources;
use rankscope::debuginfo::{Image, SymbolStore};
use rankscope::model::LocationSpec;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Number of names compared in each program, of those that gdb knows; small programs have fewer.
const NAMES: usize = 200;
const FEWEST: usize = 50;
/// The least percentage of them that must be at gdb's locations.
const LEAST: usize = 95;

fn gdb(program: &Path, commands: &[String]) -> String {
    let mut gdb = Command::new("gdb");
    let settings = ["set breakpoint pending off", "set width 0", "set height 0", "set debuginfod enabled off"];
    gdb.args(["-nx", "-batch"]).args(settings.iter().flat_map(|setting| ["-ex", setting]));
    let script = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(script.path(), commands.join("\n")).unwrap();
    // Failing commands end a gdb script, but not a Python script.
    let python = format!(
        "python\nfor line in open('{}'):\n  try:\n    gdb.execute(line.rstrip('\\n'))\n  except gdb.error:\n    pass\nend\n",
        script.path().display()
    );
    let commands = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(commands.path(), python).unwrap();
    let output = gdb.arg("-x").arg(commands.path()).arg(program).stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The addresses at which gdb puts a breakpoint, for each name.
fn places_of_gdb(program: &Path, names: &[String]) -> Vec<BTreeSet<u64>> {
    let asked = names.iter().flat_map(|name| {
        ["echo ====\\n".to_owned(), format!("break {name}"), "info breakpoints".into(), "delete".into()]
    });
    let text = gdb(program, &asked.collect::<Vec<_>>());
    let address = |line: &str| {
        let word = line.split_whitespace().find_map(|word| word.strip_prefix("0x0000"))?;
        u64::from_str_radix(word, 16).ok()
    };
    let parts: Vec<_> = text.split("====\n").skip(1).map(|part| part.lines().filter_map(address).collect()).collect();
    assert_eq!(parts.len(), names.len());
    parts
}

fn places_of_ours(image: &Image, name: &str) -> BTreeSet<u64> {
    let location = LocationSpec::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    image.resolve(&location).iter().map(|site| site.address.0).collect()
}

/// The signature up to its parameters.
fn without_parameters(signature: &str) -> &str {
    let (mut depth, mut previous) = (0_u32, ' ');
    let end = signature.char_indices().find(|(_, c)| {
        match c {
            '<' | '{' | '[' => depth += 1,
            '>' if previous == '-' => {}
            '>' | '}' | ']' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => return true,
            _ => {}
        }
        previous = *c;
        false
    });
    end.map_or(signature, |(end, _)| &signature[..end])
}

/// The last components of a path.
fn last(path: &str, count: usize) -> &str {
    let (mut depth, mut left, mut previous) = (0_u32, count, ' ');
    for (at, c) in path.char_indices().rev() {
        match c {
            '>' | ')' | '}' if previous != '=' => depth += 1,
            '<' | '(' | '{' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && previous == ':' => {
                left -= 1;
                if left == 0 {
                    return &path[at + 2..];
                }
            }
            _ => {}
        }
        previous = c;
    }
    path
}

/// Names of the program's functions that contain a word: gdb's names, the symbol table's, and short ones.
fn names(program: &Path, word: &str) -> Vec<String> {
    let listed = gdb(program, &[format!("info functions -n {word}")]);
    let named = listed.lines().filter_map(|line| Some(without_parameters(line.split_once("fn ")?.1)));
    let named: BTreeSet<&str> = named.filter(|name| name.contains(word)).collect();
    let symbols = Command::new("nm").args(["-C", "--defined-only"]).arg(program).output().unwrap();
    let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
    let code = symbols.lines().filter_map(|line| line.split_once(" t ").or_else(|| line.split_once(" T ")));
    let code: BTreeSet<&str> = code.map(|(_, name)| name).filter(|name| name.contains(word)).collect();
    let short = named.iter().flat_map(|name| [last(name, 1), last(name, 2)]);
    let all: BTreeSet<String> = named.iter().copied().chain(code).chain(short).map(str::to_owned).collect();
    all.into_iter().collect()
}

#[test]
fn breakpoints_by_names_of_rust() {
    let Ok(wanted) = std::env::var("RANKSCOPE_DIFFERENTIAL") else { return };
    if wanted.contains('/') {
        return;
    }
    let wanted = if wanted == "1" { "" } else { wanted.as_str() };
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("RANKSCOPE_DIFFERENTIAL_DIRECTORY").map(PathBuf::from);
    let sources = Sources { directory: kept.unwrap_or_else(|| temporary.path().to_owned()) };
    for subject in subjects(&sources, wanted, 0) {
        let word = subject.name.split(' ').next().unwrap_or_default().replace('-', "_");
        if !subject.name.contains("rustc") || !["petgraph", "regex_syntax"].contains(&word.as_str()) {
            continue;
        }
        let all = names(&subject.program, &word);
        // More than are compared: gdb does not know all of them.
        let step = (all.len() / (5 * NAMES)).max(1);
        let asked: Vec<String> = all.iter().step_by(step).cloned().collect();
        let image = SymbolStore::new().open(&subject.program).unwrap();
        let theirs = places_of_gdb(&subject.program, &asked);
        let both = asked.iter().zip(theirs).map(|(name, theirs)| (name, places_of_ours(&image, name), theirs));
        // gdb does not know short names; that we do is not a difference.
        let compared: Vec<_> = both.filter(|(_, _, theirs)| !theirs.is_empty()).take(NAMES).collect();
        let differ: Vec<_> = compared.iter().filter(|(_, ours, theirs)| ours != theirs).collect();
        let equal = compared.len() - differ.len();
        let mut text = format!("{}: {equal} of {} names as gdb places them\n", subject.name, compared.len());
        for (name, ours, theirs) in differ {
            text += &format!("  {name}\n    ours {ours:x?}\n    gdb  {theirs:x?}\n");
        }
        write_report(&text);
        assert!(compared.len() >= FEWEST, "gdb knows {} of {} names", compared.len(), asked.len());
        assert!(equal * 100 >= compared.len() * LEAST, "{text}");
    }
}
