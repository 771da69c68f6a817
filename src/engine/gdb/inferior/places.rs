//! Converts frames and sites from gdb's output.

use super::modules::Modules;
use crate::gdb::mi::Results;
use model::{CodePlace, Frame, Site, SourcePlace, VirtualAddress};
use std::sync::Arc;

impl Modules {
    pub(in crate::gdb) fn code_place(&mut self, address: u64) -> CodePlace {
        let place = self.locate(address);
        CodePlace { module: place.module, offset: place.offset, address: Some(VirtualAddress(address)) }
    }

    /// Converts a `frame={…}`.
    pub(in crate::gdb) fn frame(&mut self, frame: &Results) -> Frame {
        Frame {
            level: frame.number("level").unwrap_or(0) as u32,
            function: frame.text("func").filter(|name| *name != "??").map(Arc::from),
            source: source_of(frame),
            code: self.code_place(frame.number("addr").unwrap_or(0)),
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    /// Returns the sites of a `bkpt={…}`; empty while it is pending.
    pub(in crate::gdb) fn sites(&mut self, bkpt: &Results) -> Vec<Site> {
        let one = std::slice::from_ref(bkpt).iter();
        let several = bkpt.inside("locations").map(Results::parts);
        let places: Vec<&Results> = several.map_or_else(|| one.collect(), Iterator::collect);
        places.into_iter().filter(|place| !is_refused(place)).filter_map(|place| self.site(place)).collect()
    }

    /// Returns the sites of a `bkpt={…}` at which gdb finds its condition invalid.
    pub(in crate::gdb) fn refused_sites(&mut self, bkpt: &Results) -> Vec<Site> {
        let places = bkpt.inside("locations").into_iter().flat_map(Results::parts);
        places.filter(|place| is_refused(place)).filter_map(|place| self.site(place)).collect()
    }

    fn site(&mut self, place: &Results) -> Option<Site> {
        let code = self.code_place(place.number("addr")?);
        Some(Site {
            module: code.module,
            offset: code.offset,
            address: code.address,
            function: place.text("func").map(Arc::from),
            source: source_of(place),
        })
    }
}

/// True if gdb has disabled a site because the condition is invalid there.
fn is_refused(place: &Results) -> bool {
    place.text("enabled") == Some("N")
}

/// Returns the source file, absolute if gdb knows the full path, and the line.
fn source_of(place: &Results) -> Option<SourcePlace> {
    let file = place.text("fullname").or_else(|| place.text("file"))?;
    Some(SourcePlace { file: without_dots(file).into(), line: place.number("line")? as u32 })
}

/// Removes `.` and `..` from a path; gdb leaves them in names of missing files.
pub(in crate::gdb) fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::without_dots;

    #[test]
    fn paths_lose_their_dots() {
        for (path, plain) in [
            ("/a/b/../c.c", "/a/c.c"),
            ("./stdlib/../stdlib/strtol_l.c", "stdlib/strtol_l.c"),
            ("../x.c", "../x.c"),
            ("/../x.c", "/../x.c"),
            ("/a/b.c", "/a/b.c"),
        ] {
            assert_eq!(without_dots(path), plain);
        }
    }
}
