//! A row of view 4, in any of its modes.

/// A row of the view.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Levels of opened values above it.
    pub(crate) depth: usize,
    pub(crate) name: String,
    /// An expression for it; its identity when opened.
    pub(crate) path: String,
    /// Its value, or why there is none.
    pub(crate) value: Result<String, String>,
    pub(crate) type_words: String,
    /// Another value than at the stop before.
    pub(crate) changed: bool,
    /// It can be opened.
    pub(crate) openable: bool,
    /// Opening it asks for what it points to.
    pub(crate) pointer: bool,
    /// The number of the displayed expression that it is.
    pub(crate) display: Option<u32>,
}

impl Row {
    /// One that cannot be opened.
    pub(super) fn leaf(name: &str) -> Self {
        Self {
            depth: 0,
            name: name.to_owned(),
            path: name.to_owned(),
            value: Ok(String::new()),
            type_words: String::new(),
            changed: false,
            openable: false,
            pointer: false,
            display: None,
        }
    }

    pub(super) fn note(depth: usize, path: &str, words: String) -> Self {
        Self { depth, path: format!("{path} …"), value: Err(words), ..Self::leaf("") }
    }
}
