//! The settings that `set` changes and `show` shows.

use super::variable_table::{
    CALL_LIMIT, CONFIRM, DISASSEMBLY_FLAVOR, FOLLOW, FRAME_ARGUMENTS, LOCKING, MY_CODE, PRINT_ELEMENTS,
    PRINT_MAX_DEPTH, PRINT_REPEATS, PRINT_VALUES, QUEUE_LIBRARY, STOP_ON_ERROR, Sort, VARIABLES, find, on_or_off,
};
use model::did_you_mean;
use model::{
    ArgumentDetail, DisassemblyFlavor, Follow, LibraryGlobs, LibraryPolicy, Locking, MyCode, PrintOptions,
    PrintSwitches, Printers, RunSettings, Skips, SourceRules,
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// The present values of the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables {
    numbers: BTreeMap<&'static str, f64>,
    words: BTreeMap<&'static str, String>,
    sources: SourceRules,
    skips: Skips,
    print_switches: PrintSwitches,
    printers: Printers,
}

/// The reasons why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// There is no such setting.
    #[error("unknown setting {name:?}; {}", did_you_mean(name, VARIABLES.iter().map(|known| known.name), "\"show\" lists them"))]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The value is no number, or out of range.
    #[error("{name} must be a number from {least} to {greatest}, not {text:?}")]
    Value {
        /// The setting's name.
        name: &'static str,
        /// The smallest value.
        least: String,
        /// The largest value.
        greatest: String,
        /// The value given.
        text: String,
    },
    /// The value is neither a number nor `unlimited`.
    #[error("{name} must be a number from 1, or \"unlimited\", not {text:?}")]
    Limit {
        /// The setting's name.
        name: &'static str,
        /// The value given.
        text: String,
    },
    /// The value is neither a depth nor `unlimited`.
    #[error("{name} must be a number from 0, or \"unlimited\", not {text:?}")]
    Depth {
        /// The setting's name.
        name: &'static str,
        /// The value given.
        text: String,
    },
    /// The value is none of the setting's words.
    #[error("{name} must be one of {words}, not {text:?}")]
    Word {
        /// The setting's name.
        name: &'static str,
        /// The allowed words.
        words: String,
        /// The value given.
        text: String,
    },
    /// The patterns cannot be parsed.
    #[error("{name}: {why}")]
    Globs {
        /// The setting's name.
        name: &'static str,
        /// The fault in the patterns.
        why: String,
    },
}

impl Variables {
    /// Returns the value of a numeric setting; 0 for any other name.
    pub fn get(&self, name: &str) -> f64 {
        let default = || match find(name)?.sort {
            Sort::Number { default, .. } => Some(default),
            Sort::Limit { default } | Sort::Depth { default } => Some(default.into()),
            Sort::Print(_) | Sort::Switch { .. } | Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Word { .. } => {
                None
            }
            Sort::Directories | Sort::Substitutions => None,
        };
        self.numbers.get(name).copied().or_else(default).unwrap_or(0.0)
    }

    /// Returns the value of a setting in seconds.
    pub fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs_f64(self.get(name).max(0.0))
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(String::as_str)
    }

    /// Returns how much of a value is shown, and in which form.
    pub fn print_options(&self) -> PrintOptions {
        let limit = |name| if self.get(name) < u32::MAX.into() { self.get(name) as u32 } else { u32::MAX };
        let (elements, repeats) = (limit(PRINT_ELEMENTS), limit(PRINT_REPEATS));
        PrintOptions { elements, repeats, max_depth: limit(PRINT_MAX_DEPTH), switches: self.print_switches }
    }

    /// Returns the most different values of ranks that `print` shows each; `None` without a limit.
    pub fn most_values(&self) -> Option<u32> {
        Some(self.get(PRINT_VALUES)).filter(|most| *most < u32::MAX.into()).map(|most| most as u32)
    }

    /// Returns the settings for the engines.
    pub fn run_settings(&self) -> RunSettings {
        // Patterns were checked when they were set.
        let on_match = self.word("dlopen_recalculate_on_match").and_then(|text| LibraryGlobs::parse(text).ok());
        let always = self.word("dlopen_always_recalculate").and_then(switch);
        let libraries = LibraryPolicy { always, on_match: on_match.unwrap_or_default() };
        let call_limit_ms = self.numbers.get(CALL_LIMIT).map(|seconds| (seconds * 1000.0).round() as u32);
        let locking = self.word(LOCKING).and_then(Locking::parse).unwrap_or_default();
        let follow = self.word(FOLLOW).and_then(Follow::parse).unwrap_or_default();
        let (print, my_code) = (self.print_options(), self.my_code());
        let passes_errors = self.word(STOP_ON_ERROR) == Some("off");
        let queue_library = self.word(QUEUE_LIBRARY).unwrap_or_default().to_owned();
        let (sources, skips) = (Arc::new(self.sources.clone()), Arc::new(self.skips.clone()));
        let printers = Arc::new(self.printers.clone());
        RunSettings {
            libraries,
            call_limit_ms,
            locking,
            follow,
            print,
            my_code,
            passes_errors,
            queue_library,
            sources,
            skips,
            printers,
        }
    }

    /// The syntax of disassembled instructions.
    pub fn disassembly_flavor(&self) -> DisassemblyFlavor {
        self.word(DISASSEMBLY_FLAVOR).and_then(DisassemblyFlavor::parse).unwrap_or_default()
    }

    /// What is shown of the arguments of frames.
    pub fn argument_detail(&self) -> ArgumentDetail {
        self.word(FRAME_ARGUMENTS).and_then(ArgumentDetail::parse).unwrap_or_default()
    }

    /// True if the full screen asks before it does what cannot be undone.
    pub fn confirms(&self) -> bool {
        self.word(CONFIRM) != Some("off")
    }

    /// The rules for finding sources.
    pub fn sources(&self) -> &SourceRules {
        &self.sources
    }

    /// Gives the rules for finding sources to be changed.
    pub(crate) fn sources_mut(&mut self) -> &mut SourceRules {
        &mut self.sources
    }

    /// The functions that steps pass over.
    pub fn skips(&self) -> &Skips {
        &self.skips
    }

    /// Gives the functions that steps pass over to be changed.
    pub(crate) fn skips_mut(&mut self) -> &mut Skips {
        &mut self.skips
    }

    /// The user's printers.
    pub fn printers(&self) -> &Printers {
        &self.printers
    }

    /// Gives the user's printers to be changed.
    pub(crate) fn printers_mut(&mut self) -> &mut Printers {
        &mut self.printers
    }

    /// Returns what the user's code is.
    pub fn my_code(&self) -> MyCode {
        // Patterns were checked when they were set.
        self.word(MY_CODE).and_then(|text| MyCode::parse(text).ok()).unwrap_or_default()
    }

    /// Changes a setting; returns true if the engines need the new value.
    pub fn set(&mut self, name: &str, text: &str) -> Result<bool, VariableError> {
        let variable = find(name).ok_or_else(|| VariableError::Unknown { name: name.to_owned() })?;
        let whole = text.trim();
        let text = whole.trim_matches('"');
        match variable.sort {
            Sort::Directories | Sort::Substitutions => {
                let changed = match variable.sort {
                    Sort::Directories => self.sources.search_only(whole),
                    _ => self.sources.substitute(whole),
                };
                changed.map_err(|why| VariableError::Globs { name: variable.name, why })?;
            }
            Sort::Number { least, greatest, .. } => match text.parse::<f64>() {
                Ok(value) if (least..=greatest).contains(&value) => {
                    self.numbers.insert(variable.name, value);
                }
                _ => {
                    let (least, greatest) = (least.to_string(), greatest.to_string());
                    return Err(VariableError::Value { name: variable.name, least, greatest, text: text.to_owned() });
                }
            },
            Sort::Depth { .. } => {
                let value = limit_of(text, "-1")
                    .ok_or_else(|| VariableError::Depth { name: variable.name, text: text.to_owned() })?;
                self.numbers.insert(variable.name, value);
            }
            Sort::Print(switch) => {
                let Some(on) = on_off(text) else {
                    let words = "on, off".to_owned();
                    return Err(VariableError::Word { name: variable.name, words, text: text.to_owned() });
                };
                self.print_switches = self.print_switches.with(switch, on);
            }
            Sort::Limit { .. } => {
                let value = limit_of(text, "0")
                    .ok_or_else(|| VariableError::Limit { name: variable.name, text: text.to_owned() })?;
                self.numbers.insert(variable.name, value);
            }
            Sort::Switch { default } => {
                let word = match switch(text) {
                    Some(value) => value.to_string(),
                    None if text == default => text.to_owned(),
                    None => {
                        let words = format!("true, false or {default}");
                        return Err(VariableError::Word { name: variable.name, words, text: text.to_owned() });
                    }
                };
                self.words.insert(variable.name, word);
            }
            Sort::Word { words, .. } => {
                let Some(word) = words.iter().find(|word| **word == text) else {
                    let words = words.join(", ");
                    return Err(VariableError::Word { name: variable.name, words, text: text.to_owned() });
                };
                self.words.insert(variable.name, (*word).to_owned());
            }
            Sort::Globs => {
                let globs =
                    LibraryGlobs::parse(text).map_err(|why| VariableError::Globs { name: variable.name, why })?;
                self.words.insert(variable.name, globs.to_string());
            }
            Sort::CodeGlobs => {
                let globs = MyCode::parse(text).map_err(|why| VariableError::Globs { name: variable.name, why })?;
                self.words.insert(variable.name, globs.to_string());
            }
            Sort::Path => {
                if !text.is_empty() && !text.starts_with('/') {
                    let why = format!("{text:?} is not an absolute path");
                    return Err(VariableError::Globs { name: variable.name, why });
                }
                self.words.insert(variable.name, text.to_owned());
            }
        }
        Ok(variable.is_for_engines())
    }

    /// Returns a sentence about the value of a setting; an empty one if there is none of this name.
    pub fn sentence(&self, name: &str) -> String {
        let unit = match find(name).map(|variable| variable.sort) {
            Some(Sort::Number { unit, .. }) => unit,
            _ => "",
        };
        let rows = self.rows(Some(name));
        // Of several rules, the last is the new one.
        rows.last().map_or_else(String::new, |(name, value)| format!("{name} is {value} {unit}").trim_end().to_owned())
    }

    /// Returns name and value of one setting, of those that begin with a name ending in a hyphen, or of all.
    pub fn rows(&self, name: Option<&str>) -> Vec<(String, String)> {
        VARIABLES
            .iter()
            .filter(|variable| match name {
                Some(name) if name.ends_with('-') => variable.name.starts_with(name),
                Some(name) => find(name).is_some_and(|one| one.name == variable.name),
                None => true,
            })
            .flat_map(|variable| {
                let rules = self.sources.substitutions();
                if matches!(variable.sort, Sort::Substitutions) && !rules.is_empty() {
                    return rules.iter().map(|rule| (variable.name.to_owned(), rule.text())).collect();
                }
                let value = match variable.sort {
                    Sort::Number { .. } => self.get(variable.name).to_string(),
                    Sort::Limit { .. } | Sort::Depth { .. } if self.get(variable.name).is_infinite() => {
                        "unlimited".to_owned()
                    }
                    Sort::Limit { .. } | Sort::Depth { .. } => self.get(variable.name).to_string(),
                    Sort::Print(switch) => on_or_off(self.print_switches.has(switch)).to_owned(),
                    Sort::Directories => variable.written(&self.sources.directories_text()),
                    Sort::Substitutions => variable.default_text(),
                    Sort::Switch { .. } | Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Word { .. } => {
                        match self.word(variable.name) {
                            Some("") | None => variable.default_text(),
                            Some(word) => word.to_owned(),
                        }
                    }
                };
                vec![(variable.name.to_owned(), value)]
            })
            .collect()
    }
}

/// Parses a limit, for which `none` is another word for `unlimited`.
fn limit_of(text: &str, none: &str) -> Option<f64> {
    if text == "unlimited" || text == none {
        return Some(f64::INFINITY);
    }
    text.parse::<u32>().ok().map(f64::from)
}

/// Parses a switch of gdb.
pub(super) fn on_off(text: &str) -> Option<bool> {
    match text {
        "on" | "yes" | "1" | "enable" | "" => Some(true),
        "off" | "no" | "0" | "disable" => Some(false),
        _ => None,
    }
}

/// Parses a switch; `None` for its default word.
fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::PrintSwitch;

    #[test]
    fn values_are_checked() {
        let mut variables = Variables::default();
        assert_eq!(variables.get("patience"), 5.0);
        variables.set("patience", "0.5").unwrap();
        assert_eq!(variables.rows(Some("patience")), [("patience".to_owned(), "0.5".to_owned())]);
        assert_eq!(variables.sentence("patience"), "patience is 0.5 s");
        assert_eq!(variables.sentence("follow-fork"), "follow-fork-mode is parent");
        assert_eq!(variables.sentence("list-size"), "list-size is 10");
        assert!(variables.set("patience", "-1").unwrap_err().to_string().contains("from 0.01 to 3600"));
        assert!(variables.set("patience", "NaN").is_err());
        assert_eq!(variables.set("dlopen_always_recalculate", "on"), Ok(true));
        assert_eq!(variables.set("dlopen_recalculate_on_match", "libm*:libfoo.so"), Ok(true));
        assert_eq!(variables.run_settings().libraries.always, Some(true));
        assert_eq!(variables.rows(Some("dlopen_recalculate_on_match"))[0].1, "libm*:libfoo.so");
        assert_eq!(variables.set("dlopen_recalculate_on_match", "\"\""), Ok(true));
        assert!(variables.run_settings().libraries.on_match.is_empty());
        assert!(variables.set("dlopen_always_recalculate", "maybe").unwrap_err().to_string().contains("auto"));
        assert!(variables.set("dlopen_recalculate_on_match", "a*b").unwrap_err().to_string().contains("at the end"));
        assert_eq!(variables.set("my-code", "\"-/opt/lib*, +libmine*\""), Ok(true));
        assert_eq!(variables.rows(Some("my-code"))[0].1, "-/opt/lib* libmine*");
        assert_eq!(variables.run_settings().my_code.to_string(), "-/opt/lib* libmine*");
        assert!(variables.set("my-code", "-").unwrap_err().to_string().contains("expected a pattern"));
        assert_eq!(variables.set("directories", "/a \"/b c\""), Ok(true));
        assert_eq!(variables.sentence("directories"), "directories is \"/a:/b c:$cdir:$cwd\"");
        for rule in ["/build /src", "\"/b c\" /d"] {
            assert_eq!(variables.set("substitute-path", rule), Ok(true));
        }
        let rules = [("substitute-path", "/build /src"), ("substitute-path", "\"/b c\" /d")];
        let rows = variables.rows(Some("substitute-path"));
        assert!(rows.iter().map(|(name, value)| (name.as_str(), value.as_str())).eq(rules), "{rows:?}");
        assert_eq!(variables.sentence("substitute-path"), "substitute-path is \"/b c\" /d");
        assert_eq!(variables.run_settings().sources.rewritten("/b c/x").as_deref(), Some("/d/x"));
        assert!(variables.set("substitute-path", "/a").unwrap_err().to_string().contains("FROM and TO"));
        for (name, value, shown) in [
            ("print-pretty", "1", "on"),
            ("print-union", "disable", "off"),
            ("print-max-depth", "0", "0"),
            ("print-max-depth", "-1", "unlimited"),
        ] {
            assert_eq!(variables.set(name, value), Ok(true));
            assert_eq!(variables.rows(Some(name)), [(name.to_owned(), shown.to_owned())]);
        }
        let print = variables.run_settings().print;
        assert!(print.has(PrintSwitch::Pretty) && !print.has(PrintSwitch::Union) && print.has(PrintSwitch::Symbol));
        assert_eq!(print.max_depth, u32::MAX);
        assert!(variables.set("print-pretty", "maybe").unwrap_err().to_string().contains("one of on, off"));
        assert!(variables.set("print-max-depth", "-2").unwrap_err().to_string().contains("from 0"));
        let of_print = variables.rows(Some("print-"));
        assert_eq!(of_print.len(), 15);
        assert!(of_print.iter().all(|(name, _)| name.starts_with("print-")));
        assert_eq!(variables.set("scheduler-locking", "step"), Ok(true));
        assert_eq!(variables.set("follow-fork", "child"), Ok(true));
        let RunSettings { locking, follow, .. } = variables.run_settings();
        assert_eq!((locking, follow), (Locking::Step, Follow::Child));
        assert_eq!(variables.rows(Some("follow-fork"))[0], ("follow-fork-mode".to_owned(), "child".to_owned()));
        assert!(variables.set("scheduler-locking", "true").unwrap_err().to_string().contains("off, on, step, replay"));
        let refused = |name| Variables::default().set(name, "1").unwrap_err().to_string();
        assert_eq!(refused("nothing"), "unknown setting \"nothing\"; \"show\" lists them");
        assert_eq!(refused("patiance"), "unknown setting \"patiance\"; did you mean \"patience\"?");
    }
}
