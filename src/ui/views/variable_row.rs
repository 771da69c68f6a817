//! A row of view 4, in any of its modes.

use crate::row_key::RowKey;

#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Number of expanded values above it.
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// An expression for the value.
    pub(crate) path: String,
    /// Identifies it while expanded.
    pub(crate) key: RowKey,
    /// The value, or the reason why there is none.
    pub(crate) value: Result<String, String>,
    pub(crate) type_words: String,
    /// True if the value differs from that at the last stop, or from that which it is compared with.
    pub(crate) changed: bool,
    /// The value in the snapshot or of other ranks if it differs, with what it is.
    pub(crate) before: Option<String>,
    pub(crate) openable: bool,
    pub(crate) pointer: bool,
    /// What is evaluated to expand it: the target of a pointer or reference; `None` for what has its parts.
    pub(crate) target: Option<String>,
    /// The number of the displayed expression; `None` for other rows.
    pub(crate) display: Option<u32>,
}

impl Row {
    /// A row that cannot be expanded.
    pub(super) fn leaf(name: &str) -> Self {
        Self {
            depth: 0,
            name: name.to_owned(),
            path: name.to_owned(),
            key: RowKey::default(),
            value: Ok(String::new()),
            type_words: String::new(),
            changed: false,
            before: None,
            openable: false,
            pointer: false,
            target: None,
            display: None,
        }
    }

    pub(super) fn note(depth: usize, path: &str, words: String) -> Self {
        Self { depth, path: format!("{path} …"), value: Err(words), ..Self::leaf("") }
    }
}
