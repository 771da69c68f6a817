//! Breakpoint sites: finds locations in the files of a process and moves breakpoints when files change.

use super::catch_functions::{catch_location, moved};
use super::claims::Claim;
use super::evaluated::{Evaluated, Placed};
use super::points::{Breakpoints, addresses};
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::{place_sites, site_at};
use crate::native::tracer::outbox::RankReports;
use debuginfo::LoadedImages;
use model::{BreakpointId, ErrorCode, Event, Failure, LocationSpec, Point, Site, VirtualAddress};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A location that no longer depends on the state of the rank: all that a search of the debug information needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::native) enum Wanted {
    /// A location in the files.
    Place(LocationSpec),
    /// An address in memory.
    Address(u64),
}

/// A breakpoint to search for again because the files have changed.
pub(in crate::native) struct Lookup {
    pub(in crate::native) id: BreakpointId,
    pub(in crate::native) wanted: Wanted,
    pub(in crate::native) evaluated: Evaluated,
}

/// Returns the location of a catchpoint's function.
fn catch_wanted(point: &Point) -> Option<Wanted> {
    catch_location(point).map(Wanted::Place)
}

/// Returns the sites of a location in the files of a process; a failure names what is missing. Reads debug information.
pub(in crate::native) fn search(images: &LoadedImages, wanted: &Wanted) -> Result<Vec<Site>, Failure> {
    match wanted {
        Wanted::Address(address) => Ok(vec![site_at(images, VirtualAddress(*address))]),
        Wanted::Place(spec) => Ok(place_sites(images, spec, None)?.into_iter().map(|(_, site)| site).collect()),
    }
}

/// Like [`search`], but returns no sites on a failure: the breakpoint is pending.
pub(in crate::native) fn find_sites(images: &LoadedImages, wanted: &Wanted) -> Vec<Site> {
    search(images, wanted).unwrap_or_default()
}

impl Breakpoints {
    /// Moves a breakpoint to these sites. True if its sites changed.
    pub(in crate::native) fn relocate(
        &mut self,
        inferior: &mut Inferior,
        id: BreakpointId,
        sites: Vec<Site>,
    ) -> Result<bool, Failure> {
        let Some(breakpoint) = self.points.get_mut(&id) else { return Ok(false) };
        let changed = breakpoint.sites != sites;
        let (enabled, hardware) = (breakpoint.request.enabled, breakpoint.request.hardware);
        let before: BTreeSet<u64> = addresses(&breakpoint.sites).collect();
        let after: BTreeSet<u64> = addresses(&sites).collect();
        breakpoint.sites = sites;
        if !enabled {
            return Ok(changed);
        }
        for address in before.difference(&after) {
            self.claims.remove(&mut inferior.process, *address, Claim::User(id));
        }
        let mut outcome = Ok(changed);
        let claimed = |claims: &[Claim]| claims.contains(&Claim::User(id));
        for address in after {
            if claimed(self.claims.at(address)) {
                continue;
            }
            if let Err(failure) = self.claims.add_user(&mut inferior.process, address, id, hardware) {
                outcome = Err(failure);
            }
        }
        outcome
    }

    /// Returns the breakpoints to search for again when files are loaded or unloaded. Addresses stay as they are.
    pub(in crate::native) fn lookups(&self, inferior: &Inferior) -> Vec<Lookup> {
        let file = inferior.program.file.clone();
        let wanted = self.points.values().filter_map(|breakpoint| {
            if let Some(wanted) = catch_wanted(&breakpoint.request.point) {
                return Some((breakpoint.request.id, wanted));
            }
            let wanted = match breakpoint.request.point.place()? {
                LocationSpec::Address(_) => Wanted::Address(breakpoint.sites.first().and_then(|site| site.address)?.0),
                LocationSpec::Line(line) => {
                    let refused = breakpoint.refused.iter().map(|(site, _)| site);
                    let known = breakpoint.sites.iter().chain(refused).find_map(|site| site.source.as_ref());
                    let file = known.map(|place| Arc::clone(&place.file)).or_else(|| file.clone())?;
                    Wanted::Place(LocationSpec::FileLine { file: file.to_string(), line: *line })
                }
                other => Wanted::Place(other.clone()),
            };
            Some((breakpoint.request.id, wanted))
        });
        let evaluated =
            |id| self.points.get(&id).map(|breakpoint| Evaluated::of(&breakpoint.request, &inferior.expressions));
        wanted.map(|(id, wanted)| Lookup { id, wanted, evaluated: evaluated(id).unwrap_or_default() }).collect()
    }

    /// Moves breakpoints to the sites found and reports those that moved. True if any did.
    pub(in crate::native) fn place_all(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
        found: Vec<(BreakpointId, Placed)>,
    ) -> bool {
        let mut any = false;
        for (id, placed) in found {
            let sites = placed.sites.clone();
            match self.place(inferior, reports, id, placed) {
                Ok(true) => {
                    any = true;
                    if let Some(point) = self.points.get(&id).map(|point| &point.request.point) {
                        let event = moved(id, point, sites);
                        reports.event(event);
                    }
                }
                Ok(false) => {}
                Err(failure) => {
                    reports.event(Event::Message(model::Severity::Warning, failure.message));
                }
            }
        }
        any
    }
}

impl Inferior {
    /// Resolves a location in the user's context: a bare line number is in the frame's file.
    pub(in crate::native) fn wanted(
        &mut self,
        spec: &LocationSpec,
        context: model::Context,
    ) -> Result<Wanted, Failure> {
        match spec {
            LocationSpec::Line(line) => match self.default_file(context) {
                Some(file) => Ok(Wanted::Place(LocationSpec::FileLine { file: file.to_string(), line: *line })),
                None => {
                    Err(Failure::new(ErrorCode::NO_SOURCE, "No default source file; write the location as file:line."))
                }
            },
            LocationSpec::Address(text) => self.address_of(text, context).map(|address| Wanted::Address(address.0)),
            other => Ok(Wanted::Place(other.clone())),
        }
    }
}
