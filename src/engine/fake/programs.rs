//! Programs of the simulated engine: built in, or read from a file.

use super::{code::Program, link::link};
use debuginfo::named_file::{self, LONGEST_SOURCE};
use std::path::Path;

/// Name, file and text of each program.
pub(super) const BUILT_IN: &[(&str, &str, &str)] = &[
    ("stencil", "/demo/stencil.c", include_str!("programs/stencil.c")),
    ("diverge", "/demo/diverge.c", include_str!("programs/diverge.c")),
    ("crash", "/demo/crash.c", include_str!("programs/crash.c")),
    ("output", "/demo/output.c", include_str!("programs/output.c")),
    ("hang", "/demo/hang.c", include_str!("programs/hang.c")),
    ("spin", "/demo/spin.c", include_str!("programs/spin.c")),
];

/// Loads and compiles `fake:NAME` or `fake:FILE.c`; the error is a sentence for the user.
pub(super) fn load(program: &str) -> Result<Program, String> {
    let name = program.strip_prefix("fake:").unwrap_or(program);
    if let Some((_, file, text)) = BUILT_IN.iter().find(|(known, ..)| *known == name) {
        return link(program, file, text).map_err(|fault| format!("{file}: {fault}"));
    }
    if Path::new(name).extension().is_some_and(|extension| extension == "c") {
        let read = named_file::read(Path::new(name), LONGEST_SOURCE).map_err(|error| error.to_string());
        let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        let text = text.map_err(|why| format!("cannot read {name}: {why}"))?;
        return link(program, name, &text).map_err(|fault| format!("{name}: {fault}"));
    }
    let names: Vec<_> = BUILT_IN.iter().map(|(name, ..)| format!("fake:{name}")).collect();
    Err(format!("no simulated program \"{program}\": expected one of {}, or a C file as fake:FILE.c", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_program_can_be_run() {
        for (name, ..) in BUILT_IN {
            load(&format!("fake:{name}")).unwrap();
        }
        assert!(load("fake:none").unwrap_err().contains("fake:stencil"));
        assert!(load("fake:/does/not/exist.c").unwrap_err().contains("cannot read"));
    }
}
