//! A rule of a printer: the types that it is for, and what it shows of their values.

use super::name::PrinterName;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How the values of some types are shown. Expressions are those of C or C++; the names in them are members of the
/// value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrinterRule {
    /// The line of the file on which the rule names its types.
    pub line: u32,
    /// Patterns of type names, in whose template arguments `*` stands for anything; ` *` at the end is a pointer.
    pub types: Vec<String>,
    /// Members that a value has, each a path; other values are not shown by this rule.
    #[serde(default)]
    pub has: Vec<String>,
    /// An expression that is true for the values that this rule shows.
    #[serde(default)]
    pub when: Option<String>,
    /// Names for types, without their `$`: the type of an expression, or with `<N>` behind it, one of its arguments.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// A text with expressions in braces.
    #[serde(default)]
    pub title: Option<String>,
    /// The pointer that `*` and `->` follow.
    #[serde(default)]
    pub pointer: Option<String>,
    /// What follows the title.
    #[serde(default)]
    pub body: PrinterBody,
}

/// What a rule shows of a value, besides its title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PrinterBody {
    /// Nothing but the title.
    #[default]
    Nothing,
    /// Another value in place of the value.
    Shown(String),
    /// The characters behind a pointer, and their number; `None`: up to a NUL.
    Text(String, Option<String>),
    /// Members, then children.
    Parts(Vec<PrinterMember>, Option<Box<PrinterChildren>>),
}

/// A member that a rule shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrinterMember {
    /// Its name; empty for all the value's own members.
    pub name: String,
    /// The expression.
    pub value: String,
    /// An expression that is true if it is shown.
    #[serde(default)]
    pub when: Option<String>,
}

/// The children of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrinterChildren {
    /// Where they are.
    pub walk: PrinterWalk,
    /// The type of what is stored in a node, if that is not the node itself.
    #[serde(default)]
    pub element: Option<String>,
    /// The bytes of a node before the element, which is aligned.
    #[serde(default)]
    pub after: Option<String>,
    /// The key of a child.
    #[serde(default)]
    pub key: Option<String>,
    /// The value of a child, if that is not the element itself.
    #[serde(default)]
    pub value: Option<String>,
    /// An expression that is true for the elements that are children.
    #[serde(default)]
    pub when: Option<String>,
    /// The member that leads from an element to the next one of its chain.
    #[serde(default)]
    pub chain: Option<String>,
    /// The form in which they are printed; `None`: that of the walk.
    #[serde(default)]
    pub hint: Option<PrinterHint>,
}

/// The places of children.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PrinterWalk {
    /// One after another in memory, from a pointer or in an array.
    Array {
        /// The first.
        first: String,
        /// Their number.
        count: Option<String>,
        /// Their end, if the number is not given.
        end: Option<String>,
    },
    /// By an index, `$i`.
    Index {
        /// The element; `None` if only `value` names it.
        item: Option<String>,
        /// The number of indices.
        count: String,
    },
    /// A linked list.
    List {
        /// The pointer to the first node.
        first: String,
        /// The pointer to the next node, in a node.
        next: String,
        /// The pointer that ends it; `None`: a null pointer.
        end: Option<String>,
        /// The number of nodes, if it is known.
        count: Option<String>,
    },
    /// A binary tree, shown from the leftmost node to the rightmost.
    Tree {
        /// The pointer to the root.
        root: String,
        /// The pointer to the left child, in a node.
        left: String,
        /// The pointer to the right child, in a node.
        right: String,
        /// The pointer of a node without a child; `None`: a null pointer.
        end: Option<String>,
        /// The number of nodes, if it is known.
        count: Option<String>,
    },
}

/// The form in which children are printed; gdb's display hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PrinterHint {
    /// `{1, 2}`
    Array,
    /// `{[0] = 1, [1] = 2}`
    List,
    /// `{["a"] = 1}`
    Map,
}

/// A file of printers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PrinterSource {
    /// The file's name, for messages.
    pub name: String,
    /// The rules, in the order in which they are tried.
    pub rules: Vec<PrinterRule>,
}

/// The user's files of printers, and the printers that the user has disabled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Printers {
    files: Vec<PrinterSource>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) disabled: BTreeSet<PrinterName>,
}

/// Most files, and most rules in all of them: each is sent to all servers.
const MOST_FILES: usize = 64;
const MOST_RULES: usize = 2_000;

impl Printers {
    /// The files; the rules of an earlier one are tried first.
    pub fn files(&self) -> &[PrinterSource] {
        &self.files
    }

    /// True if there are no rules, and all others are used.
    pub fn is_empty(&self) -> bool {
        self.disabled.is_empty() && self.files.iter().all(|file| file.rules.is_empty())
    }

    /// Puts a file in front of the others, in place of the one with its name.
    pub fn put_first(&mut self, file: PrinterSource) -> Result<(), String> {
        let others = self.files.iter().filter(|known| known.name != file.name);
        if others.clone().count() >= MOST_FILES {
            return Err(format!("more than {MOST_FILES} files of printers"));
        }
        if others.map(|known| known.rules.len()).sum::<usize>() + file.rules.len() > MOST_RULES {
            return Err(format!("more than {MOST_RULES} printers"));
        }
        self.files.retain(|known| known.name != file.name);
        self.files.insert(0, file);
        Ok(())
    }
}
