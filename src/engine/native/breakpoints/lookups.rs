//! Finds the sites of breakpoints in the files of a process, outside the tracer thread.

use super::evaluated::{Evaluated, Placed};
use super::sites::{Lookup, find_sites};
use crate::native::inspect::snapshot::{Seen, Snapshot};
use debuginfo::LoadedImages;
use expr::budget::Budget;
use model::{BreakpointId, Site};

/// Finds breakpoints in these files. Also reads the debug information of their conditions, so that an arrival need not.
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

/// Separates the sites at which the expressions can be evaluated from the others.
pub(in crate::native) fn place(
    images: &LoadedImages,
    sites: Vec<Site>,
    evaluated: &Evaluated,
    process: &Snapshot,
) -> Placed {
    match process.look(&Budget::default(), |thread| evaluated.place(images, thread.access, sites.clone())) {
        Seen::Whole(placed) | Seen::Noted(placed, _) => placed,
        // A condition that cannot be checked here is checked when it is evaluated.
        Seen::Beyond | Seen::Long | Seen::Missing(_) => Placed { sites, refused: Vec::new() },
    }
}
