//! The result of a request for the screen.

use model::Failure;

/// The result of a request for the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lookup<T> {
    /// Not requested, or not available because the rank is running.
    #[default]
    Absent,
    /// Requested; holds the previous value, so that the screen does not flicker.
    Loading(Option<T>),
    /// The value has arrived.
    Known(T),
    /// The request failed.
    Failed(Failure),
}

impl<T> Lookup<T> {
    /// Returns the value, also while a newer one is being loaded.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Known(value) | Self::Loading(Some(value)) => Some(value),
            _ => None,
        }
    }

    /// Keeps the value while it is loaded again.
    pub fn reloading(self) -> Self {
        match self {
            Self::Known(value) | Self::Loading(Some(value)) => Self::Loading(Some(value)),
            _ => Self::Loading(None),
        }
    }
}
