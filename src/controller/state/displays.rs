//! Expressions that the user keeps in sight.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Expressions with the numbers they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Displays {
    expressions: BTreeMap<u32, String>,
    last: u32,
}

impl Displays {
    /// Adds one; its number, or `None` when it is there already.
    pub fn add(&mut self, expression: &str) -> Option<u32> {
        if self.expressions.values().any(|known| known == expression) {
            return None;
        }
        self.last = self.last.saturating_add(1);
        self.expressions.insert(self.last, expression.to_owned());
        Some(self.last)
    }

    /// Takes one away; whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        self.expressions.remove(&number).is_some()
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.expressions.clear();
    }

    /// Numbers and expressions, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.expressions.iter().map(|(number, expression)| (*number, expression.as_str()))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.expressions.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_once() {
        let mut displays = Displays::default();
        assert_eq!([displays.add("x"), displays.add("y"), displays.add("x")], [Some(1), Some(2), None]);
        assert!(displays.remove(2) && !displays.remove(2));
        assert_eq!(displays.add("y"), Some(3));
        assert_eq!(displays.iter().collect::<Vec<_>>(), [(1, "x"), (3, "y")]);
        displays.clear();
        assert!(displays.is_empty());
    }
}
