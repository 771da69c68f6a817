//! Settings that `set` changes and `show` shows.

use std::collections::BTreeMap;

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it is before anyone sets it.
    pub default: f64,
    /// Least value.
    pub least: f64,
    /// Greatest value.
    pub greatest: f64,
    /// What it does, with its unit.
    pub meaning: &'static str,
}

/// All settings; each is a number.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: "list-size",
        default: 10.0,
        least: 1.0,
        greatest: 10_000.0,
        meaning: "lines that list shows at a time",
    },
    Variable {
        name: "patience",
        default: 5.0,
        least: 0.01,
        greatest: 3600.0,
        meaning: "seconds to wait for the answers of ranks before those that are silent are called missing",
    },
    Variable {
        name: "print-elements",
        default: 200.0,
        least: 1.0,
        greatest: 1e9,
        meaning: "elements of an array or characters of a string that are printed at most",
    },
    Variable {
        name: "print-repeats",
        default: 10.0,
        least: 2.0,
        greatest: 1e9,
        meaning: "equal elements in a row from which on they are printed once with their number",
    },
    Variable {
        name: "reverse-listen",
        default: 1.0,
        least: 0.0,
        greatest: 2.0,
        meaning: "when to look for programs that ask for a debugger: 0 never, 1 while none is debugged, 2 always",
    },
    Variable {
        name: "stack-limit",
        default: 1000.0,
        least: 1.0,
        greatest: 1e6,
        meaning: "frames of a stack that are asked for at most",
    },
    Variable {
        name: "step-patience",
        default: 5.0,
        least: 0.0,
        greatest: 3600.0,
        meaning: "seconds for which a step of a script waits for its ranks to stop before the script goes on",
    },
];

/// Settings as they are now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables(BTreeMap<&'static str, f64>);

/// Why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// No such setting.
    #[error("there is no setting {0:?}; \"show\" lists them")]
    Unknown(String),
    /// Not a number, or not one that makes sense.
    #[error("{name} is a number from {least} to {greatest}, not {text:?}")]
    Value {
        /// Of which setting.
        name: &'static str,
        /// Least value.
        least: String,
        /// Greatest value.
        greatest: String,
        /// What was given.
        text: String,
    },
}

/// The setting of a name.
pub(super) fn find(name: &str) -> Option<&'static Variable> {
    VARIABLES.iter().find(|variable| variable.name == name)
}

impl Variables {
    /// The value of a setting of the table; 0 for any other name.
    pub fn get(&self, name: &str) -> f64 {
        self.0.get(name).copied().or_else(|| find(name).map(|variable| variable.default)).unwrap_or(0.0)
    }

    /// Changes a setting.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), VariableError> {
        let variable = find(name).ok_or_else(|| VariableError::Unknown(name.to_owned()))?;
        match text.parse::<f64>() {
            Ok(value) if (variable.least..=variable.greatest).contains(&value) => {
                self.0.insert(variable.name, value);
                Ok(())
            }
            _ => Err(VariableError::Value {
                name: variable.name,
                least: variable.least.to_string(),
                greatest: variable.greatest.to_string(),
                text: text.to_owned(),
            }),
        }
    }

    /// Name and value of one setting, or of all.
    pub fn rows(&self, name: Option<&str>) -> Vec<(String, String)> {
        VARIABLES
            .iter()
            .filter(|variable| name.is_none_or(|name| name == variable.name))
            .map(|variable| (variable.name.to_owned(), self.get(variable.name).to_string()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let mut variables = Variables::default();
        assert_eq!(variables.get("patience"), 5.0);
        variables.set("patience", "0.5").unwrap();
        assert_eq!(variables.rows(Some("patience")), [("patience".to_owned(), "0.5".to_owned())]);
        assert!(variables.set("patience", "-1").unwrap_err().to_string().contains("from 0.01 to 3600"));
        assert!(variables.set("patience", "NaN").is_err());
        assert!(variables.set("nothing", "1").unwrap_err().to_string().contains("no setting"));
    }
}
