//! Breakpoints that are looked for in the files of a process, beside the tracer thread.

use super::evaluated::{Evaluated, Placed};
use super::sites::{Lookup, find_sites};
use crate::native::inspect::snapshot::{Seen, Snapshot};
use debuginfo::LoadedImages;
use expr::budget::Budget;
use model::{BreakpointId, Site};

/// Where breakpoints are in these files. What their conditions need is read, too, so that arrivals find it.
pub(in crate::native) fn find_all(
    lookups: Vec<Lookup>,
    images: &LoadedImages,
    process: &Snapshot,
) -> Vec<(BreakpointId, Placed)> {
    let find = |Lookup { id, wanted, evaluated }: Lookup| {
        (id, place(images, find_sites(images, &wanted), &evaluated, process))
    };
    lookups.into_iter().map(find).collect()
}

/// The sites at which what is evaluated means something, and the others.
pub(in crate::native) fn place(
    images: &LoadedImages,
    sites: Vec<Site>,
    evaluated: &Evaluated,
    process: &Snapshot,
) -> Placed {
    match process.look(&Budget::default(), |thread| evaluated.place(images, thread.access, sites.clone())) {
        Seen::Whole(placed) | Seen::Noted(placed, _) => placed,
        // What cannot be told here is told when it is evaluated.
        Seen::Beyond | Seen::Long | Seen::Missing(_) => Placed { sites, refused: Vec::new() },
    }
}
