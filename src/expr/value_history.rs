//! Earlier values of one rank: those that `$`, `$$`, `$3` and `$name` stand for, as in gdb.

use debuginfo::types::{Place, TypeRef};
use model::PrintOptions;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Bytes of printed values kept for a rank; beyond that the oldest are dropped.
const MOST_BYTES: usize = 8 << 20;
/// Printed values kept for a rank.
const MOST_VALUES: usize = 10_000;
/// Convenience variables kept for a rank; users name them, so this only stops runaway loops.
const MOST_VARIABLES: usize = 10_000;

/// A recorded value, which no longer changes with the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The type of the recorded value.
    pub ty: TypeRef,
    /// Its bytes at that time, or its place if it is too long.
    pub place: Place,
}

/// The recorded values of a rank. They outlive its process: a restarted rank keeps them.
#[derive(Debug, Default)]
pub struct ValueHistory {
    pages: RefCell<Arc<Pages>>,
    /// How much of a value is shown to the user.
    limits: Cell<PrintOptions>,
}

/// The contents of a value history.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    /// `None`: the value of a command for other ranks.
    history: VecDeque<Option<Note>>,
    /// Number of values dropped before the first one kept.
    forgotten: usize,
    bytes: usize,
    variables: BTreeMap<Arc<str>, Note>,
}

/// The text after a dollar sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dollar<'a> {
    /// `$3`: the value with this number.
    Number(usize),
    /// `$` (0), `$$` (1), `$$3`: counted back from the last.
    Back(usize),
    /// `$name`.
    Name(&'a str),
}

impl<'a> Dollar<'a> {
    /// Parses the text after the first dollar sign.
    pub fn parse(text: &'a str) -> Self {
        let number = |digits: &str, none: usize| if digits.is_empty() { Some(none) } else { digits.parse().ok() };
        match text.strip_prefix('$') {
            _ if text.is_empty() => Self::Back(0),
            Some(digits) => number(digits, 1).map_or(Self::Name(text), Self::Back),
            None => number(text, 0).map_or(Self::Name(text), Self::Number),
        }
    }
}

impl Pages {
    fn count(&self) -> usize {
        self.forgotten + self.history.len()
    }

    /// Appends a value whose bytes have been added, and drops the oldest ones.
    fn append(&mut self, note: Option<Note>) {
        self.history.push_back(note);
        while self.bytes > MOST_BYTES || self.history.len() > MOST_VALUES {
            let Some(oldest) = self.history.pop_front() else { break };
            self.bytes -= oldest.as_ref().map_or(0, length);
            self.forgotten += 1;
        }
    }
}

/// The error about a number of the history that stands for a value of other ranks.
pub fn value_of_others(number: usize) -> String {
    format!("The value history has no ${number} here: that was printed for other ranks.")
}

fn length(note: &Note) -> usize {
    match &note.place {
        Place::Bytes(bytes) => bytes.len(),
        Place::Past(bytes, _) | Place::Convenience(_, bytes) => bytes.len(),
        _ => 0,
    }
}

impl ValueHistory {
    /// Creates a history with saved contents.
    pub fn of(pages: &Arc<Pages>, limits: PrintOptions) -> Self {
        Self { pages: RefCell::new(Arc::clone(pages)), limits: Cell::new(limits) }
    }

    /// How much of a value is shown.
    pub fn limits(&self) -> PrintOptions {
        self.limits.get()
    }

    /// Sets how much of a value is shown; returns the previous limits.
    pub fn limit(&self, limits: PrintOptions) -> PrintOptions {
        self.limits.replace(limits)
    }

    /// Returns a snapshot of its contents.
    pub fn pages(&self) -> Arc<Pages> {
        Arc::clone(&self.pages.borrow())
    }

    /// Replaces its contents by pages derived from `from`; returns `false` if it has changed since.
    pub fn turn(&self, from: &Arc<Pages>, to: Arc<Pages>) -> bool {
        let mut pages = self.pages.borrow_mut();
        let same = Arc::ptr_eq(&pages, from);
        if same {
            *pages = to;
        }
        same
    }

    /// Appends a value to the history; returns its number.
    pub fn record(&self, note: Note) -> usize {
        let mut shared = self.pages.borrow_mut();
        let pages = Arc::make_mut(&mut shared);
        pages.bytes += length(&note);
        pages.append(Some(note));
        pages.count()
    }

    /// Appends places without values until the history has this many: those values are of commands for other ranks.
    pub fn reach(&self, count: usize) {
        let mut shared = self.pages.borrow_mut();
        if shared.count() >= count {
            return;
        }
        let pages = Arc::make_mut(&mut shared);
        if count - pages.count() > MOST_VALUES {
            pages.history.clear();
            pages.bytes = 0;
            pages.forgotten = count - MOST_VALUES;
        }
        while pages.count() < count {
            pages.append(None);
        }
    }

    /// Returns a value of the history; fails in gdb's words if there is none.
    pub fn printed(&self, which: Dollar<'_>) -> Result<Note, String> {
        let pages = self.pages.borrow();
        let count = pages.count();
        let number = match which {
            Dollar::Number(number) => number,
            Dollar::Back(0) if count == 0 => return Err("The history is empty.".to_owned()),
            Dollar::Back(back) => match count.checked_sub(back) {
                Some(number) if number > 0 => number,
                _ => return Err(format!("History does not go back to $${back}.")),
            },
            Dollar::Name(name) => return Err(format!("${name} is not in the history.")),
        };
        if number > count {
            return Err(format!("History has not yet reached ${number}."));
        }
        match number.checked_sub(pages.forgotten + 1).and_then(|index| pages.history.get(index)) {
            Some(Some(note)) => Ok(note.clone()),
            Some(None) => Err(value_of_others(number)),
            None => Err(format!("The value of ${number} is no longer kept.")),
        }
    }

    /// Returns a convenience variable; `None` if it was never set.
    pub fn variable(&self, name: &str) -> Option<Note> {
        self.pages.borrow().variables.get(name).cloned()
    }

    /// Restores saved contents.
    pub fn go_back(&self, pages: &Arc<Pages>) {
        *self.pages.borrow_mut() = Arc::clone(pages);
    }

    /// Sets a convenience variable; returns `false` if there are too many.
    pub fn set_variable(&self, name: &str, note: Note) -> bool {
        let mut shared = self.pages.borrow_mut();
        if shared.variables.get(name) == Some(&note) {
            return true;
        }
        let pages = Arc::make_mut(&mut shared);
        if pages.variables.len() >= MOST_VARIABLES && !pages.variables.contains_key(name) {
            return false;
        }
        pages.variables.insert(name.into(), note);
        true
    }

    /// Removes a convenience variable, as if it had never been set.
    pub fn forget_variable(&self, name: &str) {
        if self.variable(name).is_some() {
            Arc::make_mut(&mut self.pages.borrow_mut()).variables.remove(name);
        }
    }

    /// Changes bytes of a convenience variable; returns `false` if it does not have them.
    pub fn change_variable(&self, name: &str, offset: u64, data: &[u8]) -> bool {
        let mut shared = self.pages.borrow_mut();
        let pages = Arc::make_mut(&mut shared);
        let Some(Note { place: Place::Convenience(_, bytes), .. }) = pages.variables.get_mut(name) else {
            return false;
        };
        let mut changed = bytes.to_vec();
        let end = (offset as usize).saturating_add(data.len());
        let Some(part) = changed.get_mut(offset as usize..end) else { return false };
        part.copy_from_slice(data);
        *bytes = changed.into();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::VirtualAddress;

    fn note(byte: u8, length: usize) -> Note {
        Note { ty: TypeRef::Void, place: Place::Past(vec![byte; length].into(), VirtualAddress(4)) }
    }

    #[test]
    fn what_dollars_mean() {
        for (text, means) in [
            ("", Dollar::Back(0)),
            ("$", Dollar::Back(1)),
            ("$12", Dollar::Back(12)),
            ("7", Dollar::Number(7)),
            ("rip", Dollar::Name("rip")),
            ("1x", Dollar::Name("1x")),
            ("$x", Dollar::Name("$x")),
            ("99999999999999999999999", Dollar::Name("99999999999999999999999")),
        ] {
            assert_eq!(Dollar::parse(text), means, "{text}");
        }
    }

    #[test]
    fn the_history_is_counted_from_both_ends() {
        let book = ValueHistory::default();
        assert_eq!(book.printed(Dollar::Back(0)).unwrap_err(), "The history is empty.");
        assert_eq!(book.printed(Dollar::Number(1)).unwrap_err(), "History has not yet reached $1.");
        for byte in 1..=3 {
            book.record(note(byte, 1));
        }
        assert_eq!(book.printed(Dollar::Back(0)), Ok(note(3, 1)));
        assert_eq!(book.printed(Dollar::Back(2)), Ok(note(1, 1)));
        assert_eq!(book.printed(Dollar::Number(2)), Ok(note(2, 1)));
        assert_eq!(book.printed(Dollar::Back(3)).unwrap_err(), "History does not go back to $$3.");
        assert!(book.printed(Dollar::Number(0)).is_err());
    }

    #[test]
    fn old_values_are_forgotten_and_numbers_stay() {
        let book = ValueHistory::default();
        for byte in 0..3 {
            book.record(note(byte, MOST_BYTES / 2));
        }
        assert_eq!(book.printed(Dollar::Number(1)).unwrap_err(), "The value of $1 is no longer kept.");
        assert_eq!(book.printed(Dollar::Number(3)), Ok(note(2, MOST_BYTES / 2)));
    }

    #[test]
    fn values_of_other_ranks_have_numbers() {
        let book = ValueHistory::default();
        book.record(note(1, 1));
        book.reach(3);
        book.reach(2);
        assert_eq!(book.record(note(4, 1)), 4);
        assert_eq!([1, 4].map(|number| book.printed(Dollar::Number(number))), [Ok(note(1, 1)), Ok(note(4, 1))]);
        assert_eq!(book.printed(Dollar::Back(1)).unwrap_err(), value_of_others(3));
        assert_eq!(book.printed(Dollar::Number(5)).unwrap_err(), "History has not yet reached $5.");
        book.reach(usize::MAX);
        assert_eq!(book.printed(Dollar::Number(4)).unwrap_err(), "The value of $4 is no longer kept.");
        assert_eq!(book.printed(Dollar::Back(0)).unwrap_err(), value_of_others(usize::MAX));
    }

    #[test]
    fn variables_are_changed_within_their_bytes() {
        let book = ValueHistory::default();
        let place = Place::Convenience("x".into(), vec![1, 2, 3].into());
        assert!(book.set_variable("x", Note { ty: TypeRef::Void, place }));
        assert!(book.change_variable("x", 1, &[7, 8]));
        assert!(!book.change_variable("x", 2, &[7, 8]) && !book.change_variable("y", 0, &[1]));
        let Some(Note { place: Place::Convenience(_, bytes), .. }) = book.variable("x") else { panic!("it is there") };
        assert_eq!(*bytes, [1, 7, 8]);
    }
}
