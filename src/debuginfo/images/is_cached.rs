//! Tells whether a query can be answered without slow reads: a thread that must not wait checks first, and leaves the
//! read to another thread.

use super::image::Image;
use crate::dwarf::unit::Unit;
use model::FileAddress;
use std::sync::atomic::Ordering;

impl Image {
    /// Reads and indexes everything that queries about the whole file need. For a thread that may take long; queries
    /// meanwhile are safe.
    pub fn prepare(&self) {
        self.symbols();
        self.call_frames().prepare();
        self.entry_points().main_program();
        if let Some(units) = self.units() {
            units.index_quickly();
            units.index_addresses();
        }
        self.put_away();
        self.prepared.store(true, Ordering::Release);
    }

    /// Reads what [`Image::prepare`] postponed because the file's own index holds most of it.
    pub(crate) fn complete(&self) {
        if let Some(units) = self.units().filter(|units| !units.is_indexed()) {
            units.read_all();
            self.put_away();
        }
    }

    /// Marks an image that cannot be prepared: queries return what they can.
    pub(crate) fn give_up_preparing(&self) {
        self.prepared.store(true, Ordering::Release);
    }

    /// True once [`Image::prepare`] has finished or was abandoned.
    pub fn is_prepared(&self) -> bool {
        self.prepared.load(Ordering::Acquire)
    }

    /// True if the functions and lines at an address are known without a slow read.
    pub fn is_warm_at(&self, address: FileAddress) -> bool {
        self.is_prepared()
            && self.units().is_none_or(|units| {
                let units = units.known_units_at(address);
                units.is_some_and(|units| units.into_iter().all(Unit::has_code_read))
            })
    }

    /// Reads what queries for the functions and lines at an address need.
    pub fn warm_at(&self, address: FileAddress) {
        self.prepare();
        if let Some(units) = self.units() {
            for unit in units.units_at(address) {
                unit.lines(&units.debug);
                unit.functions(&units.debug);
                if unit.language.has_scopes() {
                    unit.parents();
                }
            }
        }
    }
}
