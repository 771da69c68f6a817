//! Lists of what a program defines: functions, variables, types, source files.

use crate::CodePlace;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The kind of what is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// gdb's `info functions`.
    Functions,
    /// gdb's `info variables`.
    Variables,
    /// gdb's `info types`.
    Types,
    /// gdb's `info sources`.
    Sources,
}

impl SymbolKind {
    /// Returns its word in gdb's commands.
    pub fn word(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Variables => "variables",
            Self::Types => "types",
            Self::Sources => "sources",
        }
    }
}

/// The part of a path that a regular expression is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PathPart {
    /// All of it.
    #[default]
    Whole,
    /// The directory.
    Directory,
    /// The name of the file.
    File,
}

impl PathPart {
    /// Returns this part of a path.
    pub fn of(self, path: &str) -> &str {
        let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
        match self {
            Self::Whole => path,
            Self::Directory => directory,
            Self::File => file,
        }
    }
}

/// What is to be listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SymbolQuery {
    /// The kind.
    pub kind: SymbolKind,
    /// A regular expression for the name; `None`: whatever the program itself defines.
    pub name: Option<String>,
    /// A regular expression for the type of a function or variable.
    pub type_name: Option<String>,
    /// True to leave out symbols without debug information.
    pub described_only: bool,
    /// The part of a path that `name` is for.
    pub part: PathPart,
    /// Only what this source file defines; its path, or the end of it. Symbols without debug information have no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The largest number of rows.
    pub limit: u32,
}

impl SymbolQuery {
    /// A query for everything of a kind.
    pub fn all(kind: SymbolKind, limit: u32) -> Self {
        Self { kind, name: None, type_name: None, described_only: false, part: PathPart::Whole, file: None, limit }
    }

    /// True if definitions of a source file are wanted.
    pub fn is_of_file(&self, path: &str) -> bool {
        let Some(file) = &self.file else { return true };
        let before = path.strip_suffix(file.trim_start_matches("./"));
        before.is_some_and(|before| before.is_empty() || !file.starts_with('/') && before.ends_with('/'))
    }

    /// True if symbols without debug information are wanted.
    pub fn has_undescribed(&self) -> bool {
        !self.described_only && self.file.is_none() && self.type_name.is_none()
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ListedSymbol {
    /// The line of its declaration, if the compiler recorded it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The name of a function, with its scopes, and in C++ with its parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
    /// The declaration in the language of the program, as gdb shows it; of a source file, its path.
    pub text: String,
}

/// The definitions of one source file, or the source files of one program or library.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SymbolGroup {
    /// The name of the file.
    pub file: Arc<str>,
    /// In gdb's order.
    pub symbols: Vec<ListedSymbol>,
}

/// A symbol that no debug information describes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UndescribedSymbol {
    /// Demangled.
    pub name: Arc<str>,
    /// The address.
    pub code: CodePlace,
}

/// What a rank's program and libraries define.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SymbolList {
    /// By source file, or for source files by program and library.
    pub groups: Vec<SymbolGroup>,
    /// Symbols that no debug information describes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undescribed: Vec<UndescribedSymbol>,
    /// The number of further rows, which the limit has left out.
    #[serde(default)]
    pub left_out: u64,
    /// The files that were not searched: the time was over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsearched: Vec<Arc<str>>,
}

impl SymbolList {
    /// Returns the same list without load addresses.
    pub fn without_addresses(&self) -> Self {
        let bare = |one: &UndescribedSymbol| UndescribedSymbol { code: one.code.without_address(), ..one.clone() };
        Self { undescribed: self.undescribed.iter().map(bare).collect(), ..self.clone() }
    }

    /// Adds a row, into the group of its file if that is the last one.
    pub fn add(&mut self, file: &Arc<str>, symbol: ListedSymbol) {
        match self.groups.last_mut().filter(|group| group.file == *file) {
            Some(group) => group.symbols.push(symbol),
            None => self.groups.push(SymbolGroup { file: Arc::clone(file), symbols: vec![symbol] }),
        }
    }

    /// True if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.undescribed.is_empty() && self.left_out == 0
    }
}
