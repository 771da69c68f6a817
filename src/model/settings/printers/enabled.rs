//! Printers by name: those of files, those of the languages' libraries, and those that are disabled.

use super::name::PrinterName;
use super::rule::{PrinterSource, Printers};
use super::shipped::shipped_printers;
use crate::RegularExpression;

/// The printers that are written in code, by the library and the names of its types.
pub const LIBRARY_PRINTERS: &[(&str, &[&str])] = &[
    (
        "libstdc++",
        &[
            "std::atomic",
            "std::basic_string",
            "std::basic_string_view",
            "std::bitset",
            "std::deque",
            "std::forward_list",
            "std::initializer_list",
            "std::list",
            "std::map",
            "std::multimap",
            "std::multiset",
            "std::optional",
            "std::pair",
            "std::priority_queue",
            "std::queue",
            "std::set",
            "std::shared_ptr",
            "std::span",
            "std::stack",
            "std::tuple",
            "std::unique_ptr",
            "std::unordered_map",
            "std::unordered_multimap",
            "std::unordered_multiset",
            "std::unordered_set",
            "std::variant",
            "std::vector",
            "std::weak_ptr",
        ],
    ),
    ("Eigen", &["Eigen::Array", "Eigen::Map", "Eigen::Matrix", "Eigen::Ref"]),
    (
        RUST,
        &[
            "Arc", "BTreeMap", "BTreeSet", "Cell", "HashMap", "HashSet", "NonZero", "OsString", "Rc", "Ref", "RefCell",
            "RefMut", "String", "Vec", "VecDeque",
        ],
    ),
];

/// Rust's own library, whose types are listed without their modules.
const RUST: &str = "rust";

/// Printers by name.
#[derive(Clone, Debug)]
pub struct PrinterChoice {
    source: Option<RegularExpression>,
    ty: Option<RegularExpression>,
}

impl PrinterChoice {
    /// Chooses all printers, those whose file or type matches one expression, or whose file and type match two. Fails
    /// with the reason why an expression cannot be read.
    pub fn parse(first: Option<&str>, second: Option<&str>) -> Result<Self, String> {
        let parse = |text: Option<&str>| {
            let parsed = text.map(|text| RegularExpression::parse(text, false)).transpose();
            parsed.map_err(|error| error.to_string())
        };
        Ok(Self { source: parse(first)?, ty: parse(second)? })
    }

    /// True if it chooses the printer of this name.
    pub fn chooses(&self, name: &PrinterName) -> bool {
        match (&self.source, &self.ty) {
            (None, _) => true,
            (Some(either), None) => either.is_found_in(&name.source) || either.is_found_in(&name.ty),
            (Some(source), Some(ty)) => source.is_found_in(&name.source) && ty.is_found_in(&name.ty),
        }
    }
}

impl Printers {
    /// The names of all printers, in the order in which they are tried: the user's, those of the libraries of the
    /// languages, and those that come with the program.
    pub fn names(&self) -> Vec<PrinterName> {
        let of_file = |file: &PrinterSource| -> Vec<PrinterName> {
            let types = file.rules.iter().flat_map(|rule| &rule.types);
            types.map(|ty| PrinterName { source: file.name.clone(), ty: ty.clone() }).collect()
        };
        let mut names: Vec<PrinterName> = self.files().iter().flat_map(of_file).collect();
        names.extend(LIBRARY_PRINTERS.iter().flat_map(|(library, types)| {
            types.iter().map(|ty| PrinterName { source: (*library).to_owned(), ty: (*ty).to_owned() })
        }));
        names.extend(shipped_printers().iter().flat_map(of_file));
        names
    }

    /// Enables or disables printers; returns how many are changed by that, and how many are chosen.
    pub fn enable(&mut self, choice: &PrinterChoice, enabled: bool) -> (usize, usize) {
        let mut chosen: Vec<PrinterName> = self.names();
        chosen.retain(|name| choice.chooses(name));
        chosen.sort();
        chosen.dedup();
        let count = chosen.len();
        let changed = chosen
            .into_iter()
            .filter(|name| if enabled { self.disabled.remove(name) } else { self.disabled.insert(name.clone()) });
        (changed.count(), count)
    }

    /// True if a printer is used.
    pub fn is_enabled(&self, source: &str, ty: &str) -> bool {
        self.disabled.is_empty()
            || !self.disabled.contains(&PrinterName { source: source.to_owned(), ty: ty.to_owned() })
    }

    /// The printers that are not used.
    pub fn disabled(&self) -> impl Iterator<Item = &PrinterName> {
        self.disabled.iter()
    }

    /// True if the printer of a library in code is disabled for a type of this name.
    pub fn hides_library_type(&self, name: &str) -> bool {
        if self.disabled.is_empty() {
            return false;
        }
        let whole = name.split('<').next().unwrap_or(name).replacen("std::__cxx11::", "std::", 1);
        let last = whole.rsplit("::").next().unwrap_or(&whole);
        LIBRARY_PRINTERS.iter().any(|(library, types)| {
            let plain = if *library == RUST { last } else { &whole };
            types.contains(&plain) && !self.is_enabled(library, plain)
        })
    }

    /// Returns a file without its disabled printers.
    pub fn without_disabled(&self, file: &PrinterSource) -> PrinterSource {
        let mut rules = file.rules.clone();
        for rule in &mut rules {
            rule.types.retain(|ty| self.is_enabled(&file.name, ty));
        }
        rules.retain(|rule| !rule.types.is_empty());
        PrinterSource { name: file.name.clone(), rules }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printers_are_chosen_by_file_and_type() {
        let text = "[[printer]]\ntype = [\"Ring<*>\", \"Queue\"]\ntitle = \"x\"\n";
        let mut printers = Printers::default();
        printers.put_first(PrinterSource::parse("my.toml", text).unwrap()).unwrap();
        let choice = |first, second| PrinterChoice::parse(first, second).unwrap();
        assert_eq!(printers.enable(&choice(Some("vector$"), None), false), (1, 1));
        assert!(printers.hides_library_type("std::vector<int, std::allocator<int> >"));
        assert!(!printers.hides_library_type("std::map<int, int>"));
        assert_eq!(printers.enable(&choice(Some("my"), Some("^Ring")), false), (1, 1));
        assert_eq!(printers.enable(&choice(Some("my"), None), false), (1, 2));
        assert!(printers.without_disabled(&printers.files()[0]).rules.is_empty());
        assert_eq!(printers.enable(&choice(Some("Queue"), None), true).0, 1);
        assert_eq!(printers.without_disabled(&printers.files()[0]).rules[0].types, ["Queue"]);
        printers.enable(&choice(None, None), true);
        assert_eq!(printers.disabled().count(), 0);
        assert!(PrinterChoice::parse(Some("["), None).is_err());
    }
}
