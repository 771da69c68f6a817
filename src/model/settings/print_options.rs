//! Options for the output of values, as gdb's `set print`.

use serde::{Deserialize, Serialize};

/// How much of a value is shown, and in which form; gdb's settings `print elements`, `print pretty` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrintOptions {
    /// Elements of an array or container, or characters of a text; `u32::MAX`: no limit.
    pub elements: u32,
    /// Longer runs of equal elements are shown once, and count as this many elements.
    pub repeats: u32,
    /// Structures nested more deeply are shown as `{...}`; `u32::MAX`: no limit.
    #[serde(default = "usual_depth")]
    pub max_depth: u32,
    /// The options that are on or off.
    #[serde(default)]
    pub switches: PrintSwitches,
}

/// Limit on the elements fetched, whatever the user asks for: an engine holds all of them in memory.
const MOST_FETCHED: u32 = 65_536;

fn usual_depth() -> u32 {
    20
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { elements: 200, repeats: 10, max_depth: usual_depth(), switches: PrintSwitches::default() }
    }
}

impl PrintOptions {
    /// The number of elements an engine fetches.
    pub fn fetched(self) -> u64 {
        self.elements.min(MOST_FETCHED).into()
    }

    /// True if an option is on.
    pub fn has(self, switch: PrintSwitch) -> bool {
        self.switches.has(switch)
    }
}

/// The options that one request has of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PrintChanges {
    /// `None`: the usual one.
    pub elements: Option<u32>,
    /// `None`: the usual one.
    pub repeats: Option<u32>,
    /// `None`: the usual one.
    pub max_depth: Option<u32>,
    /// The switches that are changed.
    changed: u16,
    /// Those of them that are on.
    on: u16,
}

impl PrintChanges {
    /// Turns an option on or off.
    pub fn switch(&mut self, switch: PrintSwitch, on: bool) {
        self.changed |= switch.bit();
        self.on = if on { self.on | switch.bit() } else { self.on & !switch.bit() };
    }

    /// Returns the usual options with these changes.
    pub fn over(self, usual: PrintOptions) -> PrintOptions {
        PrintOptions {
            elements: self.elements.unwrap_or(usual.elements),
            repeats: self.repeats.unwrap_or(usual.repeats),
            max_depth: self.max_depth.unwrap_or(usual.max_depth),
            switches: PrintSwitches(usual.switches.0 & !self.changed | self.on),
        }
    }
}

/// An option that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintSwitch {
    /// Addresses of pointers, references and functions.
    Address,
    /// The elements of arrays on lines of their own.
    Array,
    /// The index before each element of an array.
    ArrayIndexes,
    /// Texts in arrays of characters end at the first NUL.
    NullStop,
    /// Objects and pointers to them with the class that the object really has.
    Object,
    /// The members of structures on lines of their own.
    Pretty,
    /// The members of a library's containers instead of their contents.
    RawValues,
    /// The static members of classes.
    StaticMembers,
    /// The symbols of addresses of data.
    Symbol,
    /// The members of unions within structures.
    Union,
}

impl PrintSwitch {
    /// All options by gdb's name, with their usual state.
    pub const ALL: &[(&str, Self, bool)] = &[
        ("address", Self::Address, true),
        ("array", Self::Array, false),
        ("array-indexes", Self::ArrayIndexes, false),
        ("null-stop", Self::NullStop, false),
        ("object", Self::Object, false),
        ("pretty", Self::Pretty, false),
        ("raw-values", Self::RawValues, false),
        ("static-members", Self::StaticMembers, true),
        ("symbol", Self::Symbol, true),
        ("union", Self::Union, true),
    ];

    /// Its name, as in `set print NAME`.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, switch, _)| *switch == self).map_or("", |(name, ..)| *name)
    }

    fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The options that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrintSwitches(u16);

impl Default for PrintSwitches {
    fn default() -> Self {
        let on = PrintSwitch::ALL.iter().filter(|(.., usual)| *usual);
        Self(on.fold(0, |bits, (_, switch, _)| bits | switch.bit()))
    }
}

impl PrintSwitches {
    /// True if an option is on.
    pub fn has(self, switch: PrintSwitch) -> bool {
        self.0 & switch.bit() != 0
    }

    /// The same with one option on or off.
    #[must_use]
    pub fn with(self, switch: PrintSwitch, on: bool) -> Self {
        Self(if on { self.0 | switch.bit() } else { self.0 & !switch.bit() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_print_option_is_switched_alone() {
        for (name, switch, usual) in PrintSwitch::ALL {
            let switches = PrintSwitches::default();
            assert_eq!((switch.name(), switches.has(*switch)), (*name, *usual));
            let changed = switches.with(*switch, !usual);
            assert_eq!(changed.has(*switch), !usual);
            assert_eq!(changed.with(*switch, *usual), switches, "{name}");
        }
    }

    #[test]
    fn changes_leave_the_other_options_as_they_are() {
        let usual = PrintOptions { repeats: 3, ..PrintOptions::default() };
        let mut changes = PrintChanges { elements: Some(7), ..PrintChanges::default() };
        assert_eq!(PrintChanges::default().over(usual), usual);
        changes.switch(PrintSwitch::Pretty, true);
        changes.switch(PrintSwitch::Union, false);
        let switches = usual.switches.with(PrintSwitch::Pretty, true).with(PrintSwitch::Union, false);
        assert_eq!(changes.over(usual), PrintOptions { elements: 7, switches, ..usual });
        changes.switch(PrintSwitch::Union, true);
        assert!(changes.over(usual).has(PrintSwitch::Union));
    }

    #[test]
    fn print_options_of_an_older_front_end_are_the_usual_ones() {
        let read: PrintOptions = serde_json::from_str(r#"{"elements": 200, "repeats": 10}"#).unwrap();
        assert_eq!(read, PrintOptions::default());
    }
}
