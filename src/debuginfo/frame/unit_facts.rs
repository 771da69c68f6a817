//! A unit's language and compiler, and the places of variables, in gdb's words.

use super::view::FrameView;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::images::loaded::LoadedImage;
use crate::unwind::registers::register_numbered;
use gimli::{AttributeValue, Operation, UnitOffset};

/// Facts about a unit, for `info source`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFacts {
    /// By gdb's name.
    pub language: &'static str,
    /// The compiler and its options (`DW_AT_producer`).
    pub producer: String,
    /// The directory that the compiler ran in.
    pub directory: String,
    /// The DWARF version.
    pub version: u16,
    /// True if the unit has macro information.
    pub has_macros: bool,
}

impl FrameView<'_> {
    /// Returns the language of the frame by gdb's name.
    pub fn language(&self) -> Option<&'static str> {
        Some(self.scope.as_ref()?.1.unit().language.name())
    }

    /// Returns facts about the frame's unit.
    pub fn unit_facts(&self) -> Option<UnitFacts> {
        let unit = self.scope.as_ref()?.1.unit();
        let root = unit.entry(unit.dwarf.header.root_offset());
        let macros = [gimli::DW_AT_macros, gimli::DW_AT_GNU_macros, gimli::DW_AT_macro_info];
        Some(UnitFacts {
            language: unit.language.name(),
            producer: String::from_utf8_lossy(unit.producer).into_owned(),
            directory: String::from_utf8_lossy(unit.directory).into_owned(),
            version: unit.dwarf.header.version(),
            has_macros: root.is_some_and(|root| macros.iter().any(|name| root.attr(*name).is_some())),
        })
    }

    /// Returns the name by which a file was passed to the compiler.
    pub fn file_as_compiled(&self, absolute: &str) -> String {
        let given = self.scope.as_ref().and_then(|(_, scope)| {
            let files = &scope.unit().lines(scope.debug()).files;
            files.iter().find(|file| **file.absolute() == *absolute).map(|file| file.given())
        });
        given.unwrap_or_else(|| absolute.to_owned())
    }

    /// Describes the place of each variable declared around the frame's program counter, inner ones first: `Symbol i is
    /// …`.
    pub fn declared(&self) -> Vec<String> {
        let Some((loaded, scope)) = &self.scope else { return Vec::new() };
        let Some(locator) = self.locator(loaded, Some(scope)) else { return Vec::new() };
        // As in gdb, parameters come before the function's own variables.
        let (variables, parameters) = (scope.variables(), scope.parameters());
        let outermost = scope.own_variables();
        let (own, inner): (Vec<_>, Vec<_>) =
            variables.into_iter().partition(|(_, entry)| outermost.contains(&entry.offset()));
        inner
            .into_iter()
            .chain(parameters)
            .chain(own)
            .filter_map(|(unit, entry)| {
                let named = locator.value(unit, &entry)?;
                let size = loaded.image.types().size_of(&named.ty);
                let Some(place) = place_in_words(loaded, scope.debug(), unit, entry.offset()) else {
                    return Some(format!("Symbol {} is optimized out.", named.name));
                };
                let length = size.map_or(String::new(), |size| format!(", length {size}"));
                Some(format!("Symbol {} is {place}{length}.", named.name))
            })
            .collect()
    }
}

/// Describes the place of a variable; `None` if it has no location.
pub(super) fn place_in_words(
    loaded: &LoadedImage,
    debug: &DebugInformation,
    unit: &Unit,
    offset: UnitOffset,
) -> Option<String> {
    let id = EntryId { unit: unit.index, offset };
    let Some((owner, location)) = debug.inherited(id, gimli::DW_AT_location) else {
        let (_, value) = debug.inherited(id, gimli::DW_AT_const_value)?;
        let number = value.sdata_value().or_else(|| value.udata_value().map(|value| value as i64));
        return Some(number.map_or("constant".to_owned(), |number| format!("constant {number}")));
    };
    let AttributeValue::Exprloc(expression) = location else { return Some("multi-location".to_owned()) };
    let mut operations = expression.operations(owner.dwarf.encoding());
    let only = operations.next().ok().flatten();
    let next = operations.next().ok().flatten();
    if let (Some(Operation::UnsignedConstant { value } | Operation::Address { address: value }), Some(Operation::TLS)) =
        (only, next)
    {
        let file = &loaded.name;
        return Some(format!("a thread-local variable at offset {value:#x} in the thread-local storage for `{file}'"));
    }
    Some(match only.filter(|_| next.is_none()) {
        Some(Operation::FrameOffset { offset }) => {
            format!("a complex DWARF expression:\n     0: DW_OP_fbreg {offset}\n")
        }
        Some(Operation::Address { address }) => {
            format!("static storage at address {}", loaded.bias.loaded(model::FileAddress(address)))
        }
        Some(Operation::Register { register }) => match register_numbered(register.0) {
            Some(row) => format!("a variable in ${}", row.name),
            None => format!("a variable in register {}", register.0),
        },
        _ => "a complex DWARF expression".to_owned(),
    })
}
