//! Symbols of a file that its debug information does not describe.

use super::found::{Interrupted, Sought, Undescribed};
use crate::demangle::symbol::shown_whole;
use crate::dwarf::named::Named;
use crate::functions::named::named;
use crate::images::image::Image;
use model::FileAddress;

/// Returns the symbols with names that are wanted, by address, as long as `goes_on`.
pub(super) fn undescribed(
    image: &Image,
    sought: Sought,
    is_wanted: &dyn Fn(&str) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<Undescribed>, Interrupted> {
    let mut found = Vec::new();
    let symbols = image.symbols();
    let functions = match sought {
        Sought::Functions => true,
        Sought::Variables => false,
        Sought::Types => return Ok(found),
    };
    for symbol in symbols.of_sort(functions) {
        if !goes_on() {
            return Err(Interrupted);
        }
        let name = shown_whole(symbol.name);
        if is_wanted(&name) && !describes(image, symbol.address, &name, functions) {
            found.push(Undescribed { address: symbol.address, name: name.into() });
        }
    }
    if functions {
        let stubs = symbols.all_stubs().filter(|(_, name)| is_wanted(name));
        found.extend(stubs.map(|(address, name)| Undescribed { address, name: name.into() }));
    }
    found.sort_by(|one, other| (one.address, &one.name).cmp(&(other.address, &other.name)));
    found.dedup();
    Ok(found)
}

/// True if a unit has code at the address of a function, or defines a variable of this name.
fn describes(image: &Image, address: FileAddress, name: &str, is_function: bool) -> bool {
    let Some(units) = image.units() else { return false };
    if is_function {
        return units.units_at(address).next().is_some();
    }
    !named(units, name, Named::Variable).is_empty()
}
