//! Keeps parsed expressions for the other ranks that get the same request.

use crate::EvalError;
use crate::expression::Expression;
use crate::printers::rules::kept_table::KeptTable;
use crate::printers::rules::table::PrinterTable;
use model::Printers;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Expressions kept. A request has one or two; conditions keep their own.
const MOST_TEXTS: usize = 256;
/// Longest text kept, in bytes; a tree takes some fifty times the size of its text.
const LONGEST_TEXT: usize = 4096;

/// The parsed expressions that the ranks of a server share: the same text is parsed once, whichever rank asks first.
#[derive(Debug, Default)]
pub struct ParseCache {
    kept: Mutex<Kept>,
    printers: KeptTable,
}

#[derive(Debug, Default)]
struct Kept {
    by_text: HashMap<Arc<str>, Arc<Slot>>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
}

/// Filled outside the lock by the first rank that asks; the others wait for this slot alone.
type Slot = OnceLock<Result<Arc<Expression>, EvalError>>;

impl ParseCache {
    /// Returns the expression of a text, as [`Expression::parse`] does.
    pub fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        let parse = || {
            tracing::trace!(text, "parsed an expression");
            Expression::parse(text).map(Arc::new)
        };
        if text.len() > LONGEST_TEXT {
            return parse();
        }
        self.slot(text).get_or_init(parse).clone()
    }

    /// Returns the user's printers with their expressions parsed.
    pub fn printers(&self, printers: &Arc<Printers>) -> Arc<PrinterTable> {
        self.printers.of(printers)
    }

    fn slot(&self, text: &str) -> Arc<Slot> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = kept.by_text.get(text) {
            return Arc::clone(slot);
        }
        if kept.order.len() >= MOST_TEXTS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.by_text.remove(&oldest);
        }
        let (text, slot) = (Arc::<str>::from(text), Arc::new(Slot::new()));
        kept.order.push_back(Arc::clone(&text));
        kept.by_text.insert(text, Arc::clone(&slot));
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once_for_all_who_ask() {
        let cache = ParseCache::default();
        let parsed: Vec<_> = std::thread::scope(|scope| {
            let ask = || cache.parse("grid[3].cells->next + 1").unwrap();
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            asked.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(parsed.iter().all(|one| Arc::ptr_eq(one, &parsed[0])));
        assert!(!Arc::ptr_eq(&parsed[0], &cache.parse("grid[4]").unwrap()));
    }

    #[test]
    fn an_error_is_that_of_the_parser() {
        let cache = ParseCache::default();
        let error = Expression::parse("a +").unwrap_err();
        assert_eq!((cache.parse("a +").unwrap_err(), cache.parse("a +").unwrap_err()), (error.clone(), error));
    }

    #[test]
    fn neither_many_texts_nor_long_ones_are_kept() {
        let cache = ParseCache::default();
        let first = cache.parse("x + 0").unwrap();
        for number in 1..=MOST_TEXTS {
            cache.parse(&format!("x + {number}")).unwrap();
        }
        assert_eq!(cache.kept.lock().unwrap().by_text.len(), MOST_TEXTS);
        assert!(!Arc::ptr_eq(&first, &cache.parse("x + 0").unwrap()), "the oldest went");
        let long = format!("x{}", " ".repeat(LONGEST_TEXT));
        assert!(!Arc::ptr_eq(&cache.parse(&long).unwrap(), &cache.parse(&long).unwrap()));
    }
}
