//! Tells whether a question can be answered without reading: a thread that must not wait asks first, and has it read
//! elsewhere.

use super::image::Image;
use crate::dwarf::unit::Unit;
use model::FileAddress;
use std::sync::atomic::Ordering;

impl Image {
    /// Reads and indexes what questions about the whole file need. Meant for a thread that may take its time; asking
    /// meanwhile is safe.
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

    /// Reads what [`Image::prepare`] has put off, because the file has an index of its own that tells most of it.
    pub(crate) fn complete(&self) {
        if let Some(units) = self.units().filter(|units| !units.is_indexed()) {
            units.read_all();
            self.put_away();
        }
    }

    /// It cannot be prepared: questions get what answers they can.
    pub(crate) fn give_up_preparing(&self) {
        self.prepared.store(true, Ordering::Release);
    }

    /// [`Image::prepare`] is done, or was given up.
    pub fn is_prepared(&self) -> bool {
        self.prepared.load(Ordering::Acquire)
    }

    /// The functions and lines at an address can be told without a slow read.
    pub fn is_warm_at(&self, address: FileAddress) -> bool {
        self.is_prepared()
            && self.units().is_none_or(|units| {
                let units = units.known_units_at(address);
                units.is_some_and(|units| units.into_iter().all(Unit::has_code_read))
            })
    }

    /// Reads what telling the functions and lines at an address needs.
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
