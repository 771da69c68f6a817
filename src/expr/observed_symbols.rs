//! Symbols with an observer of variable lookups.

use debuginfo::types::{NamedValue, Symbols};
use std::ops::Deref;

#[derive(Clone, Copy)]
pub(crate) struct ObservedSymbols<'a> {
    symbols: &'a dyn Symbols,
    observer: Option<&'a dyn Fn(&NamedValue)>,
}

impl<'a> ObservedSymbols<'a> {
    pub(crate) fn new(symbols: &'a dyn Symbols) -> Self {
        Self { symbols, observer: None }
    }

    pub(crate) fn observed(self, observer: &'a dyn Fn(&NamedValue)) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Replaces [`Symbols::variable`]: passes the variable found to the observer.
    pub(crate) fn variable(&self, name: &str) -> Option<NamedValue> {
        let found = self.symbols.variable(name)?;
        if let Some(observer) = self.observer {
            observer(&found);
        }
        Some(found)
    }
}

impl<'a> Deref for ObservedSymbols<'a> {
    type Target = dyn Symbols + 'a;

    fn deref(&self) -> &Self::Target {
        self.symbols
    }
}
