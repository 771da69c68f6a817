//! The value that a finished function returned.

use crate::Datum;
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// The value that a function returned when `finish` ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Returned {
    /// The value.
    pub value: Datum,
    /// Its number in the value history, `$1`; `None` if the engine has no history, or if ranks have different numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

impl Deref for Returned {
    type Target = Datum;

    fn deref(&self) -> &Datum {
        &self.value
    }
}
