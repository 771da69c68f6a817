//! Where a name is, in the words of gdb's `info address`.

use super::unit_facts::place_in_words;
use super::view::FrameView;
use crate::dwarf::named::Named;
use crate::functions::named::{functions_named, named};
use crate::types::symbols::Symbols;
use model::FileAddress;

impl FrameView<'_> {
    /// Describes where a variable or function is: `Symbol "x" is static storage at address 0x4010.`; `None` if there
    /// is none of this name.
    pub fn address_in_words(&self, name: &str) -> Option<String> {
        let said = |name: &str, place: &str| Some(format!("Symbol \"{name}\" is {place}."));
        let gone = || "optimized out".to_owned();
        let lower = self.unit_language().ignores_case().then(|| name.to_lowercase());
        let name = lower.as_deref().unwrap_or(name);
        if let Some((loaded, scope, unit, entry)) = self.local(name) {
            return said(name, &place_in_words(loaded, scope.debug(), unit, entry.offset()).unwrap_or_else(gone));
        }
        let described = self.files().find_map(|loaded| {
            let units = loaded.image.units()?;
            let debug = &units.debug;
            let variable = named(units, name, Named::Variable).into_iter().find_map(|id| {
                let place = place_in_words(loaded, debug, debug.unit(id.unit)?, id.offset)?;
                said(&debug.qualified_name(id)?, &place)
            });
            let function = || {
                functions_named(units, name).into_iter().find_map(|id| {
                    let (unit, entry) = debug.entry(id)?;
                    let mut ranges = Vec::new();
                    debug.ranges_of(unit, &entry, &mut ranges);
                    let entry = loaded.bias.loaded(FileAddress(ranges.first()?.start));
                    said(&debug.shown_with_parameters(id)?, &format!("a function at address {entry}"))
                })
            };
            variable.or_else(function)
        });
        described.or_else(|| {
            self.files().find_map(|loaded| {
                let symbol = *loaded.image.symbols().named(name).first()?;
                let address = loaded.bias.loaded(symbol.address);
                said(name, &format!("at {address} in a file compiled without debugging"))
            })
        })
    }
}
