//! Frames and sites as gdb tells them.

use crate::gdb::mi::Results;
use crate::gdb::state::Debuggee;
use crate::refused_condition::refused_condition;
use model::{BreakpointId, CodePlace, Event, Frame, Severity, Site, SourcePlace, VirtualAddress};
use std::sync::Arc;

impl Debuggee {
    /// A `frame={…}`.
    pub(in crate::gdb) fn frame_of(&mut self, frame: &Results) -> Frame {
        let address = frame.number("addr").unwrap_or(0);
        let place = self.modules.locate(self.pid, address);
        Frame {
            level: frame.number("level").unwrap_or(0) as u32,
            function: frame.text("func").filter(|name| *name != "??").map(Arc::from),
            source: source_of(frame),
            code: CodePlace { module: place.module, offset: place.offset, address: Some(VirtualAddress(address)) },
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    /// The places of a `bkpt={…}`: none while it is pending.
    pub(in crate::gdb) fn sites_of(&mut self, bkpt: &Results) -> Vec<Site> {
        let one = std::slice::from_ref(bkpt).iter();
        let several = bkpt.inside("locations").map(Results::parts);
        let places: Vec<&Results> = several.map_or_else(|| one.collect(), Iterator::collect);
        places.into_iter().filter(|place| !is_refused(place)).filter_map(|place| self.site_of(place)).collect()
    }

    /// Says of a breakpoint at which places gdb finds its condition invalid, unless that has been said.
    pub(in crate::gdb) fn tell_refused(&mut self, id: BreakpointId, bkpt: &Results) {
        let places: Vec<Results> = bkpt.inside("locations").into_iter().flat_map(Results::parts).cloned().collect();
        let refused: Vec<Site> =
            places.iter().filter(|place| is_refused(place)).filter_map(|place| self.site_of(place)).collect();
        let Some(planted) = self.breakpoints.iter_mut().find(|planted| planted.request.id == id) else { return };
        let before = std::mem::replace(&mut planted.refused, refused.clone());
        let nowhere = planted.sites.is_empty();
        for site in refused.iter().filter(|site| !before.contains(site)) {
            let text = refused_condition(id, site, nowhere, None);
            self.report(Event::Message(Severity::Warning, text));
        }
    }

    fn site_of(&mut self, place: &Results) -> Option<Site> {
        let address = place.number("addr")?;
        let found = self.modules.locate(self.pid, address);
        Some(Site {
            module: found.module,
            offset: found.offset,
            address: Some(VirtualAddress(address)),
            function: place.text("func").map(Arc::from),
            source: source_of(place),
        })
    }
}

/// Whether gdb has disabled a place because the condition is invalid there.
fn is_refused(place: &Results) -> bool {
    place.text("enabled") == Some("N")
}

/// The file, absolute where gdb knows it so, and the line.
pub(in crate::gdb) fn source_of(place: &Results) -> Option<SourcePlace> {
    let file = place.text("fullname").or_else(|| place.text("file"))?;
    Some(SourcePlace { file: without_dots(file).into(), line: place.number("line")? as u32 })
}

/// The path without `.` and `..`, which gdb leaves in names of files that are not there.
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
