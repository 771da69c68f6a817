//! Expressions displayed at every stop.

use crate::command::Form;
use model::aif::FormatLetter;
use model::{ProcessSet, ThreadId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The form in which a displayed expression is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shown {
    /// As its value.
    Value(Option<FormatLetter>),
    /// As the memory at its address, as `x` shows it.
    Memory {
        /// The number of units, strings or instructions.
        count: u32,
        /// The bytes of a unit.
        unit: u32,
        /// The form of a unit.
        form: Form,
    },
}

/// An expression displayed at every stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Displayed {
    /// The expression, in the language of the frame.
    pub expression: String,
    /// The form in which it is shown.
    pub shown: Shown,
    /// Where it is evaluated, whatever the focus is; `None`: in the focus, and on the screen in the shown rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// The ranks and the thread to which a displayed expression belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The ranks.
    pub ranks: ProcessSet,
    /// The thread; `None`: in each rank the one that stopped.
    pub thread: Option<ThreadId>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thread = self.thread.map_or_else(String::new, |thread| format!(".{thread}"));
        write!(f, "{}{thread}", self.ranks)
    }
}

impl Displayed {
    /// Returns the command that displays it.
    pub fn command(&self) -> String {
        let format = self.format();
        match &self.place {
            Some(place) => format!("[{place}] display{format} -here {}", self.expression),
            None => format!("display{format} {}", self.expression),
        }
    }

    /// Returns the format between `display` and the expression.
    pub fn format(&self) -> String {
        let letter = |letter: FormatLetter| {
            FormatLetter::ALL.iter().find(|(_, known)| *known == letter).map_or(String::new(), |(c, _)| c.to_string())
        };
        match self.shown {
            Shown::Value(None) => String::new(),
            Shown::Value(Some(form)) => format!("/{}", letter(form)),
            Shown::Memory { count, unit, form } => {
                let count = if count == 1 { String::new() } else { count.to_string() };
                let size = match unit {
                    1 => "b",
                    2 => "h",
                    8 => "g",
                    _ => "w",
                };
                match form {
                    Form::Instructions => format!("/{count}i"),
                    Form::Values(FormatLetter::String) if unit == 1 => format!("/{count}s"),
                    Form::Values(form) => format!("/{count}{}{size}", letter(form)),
                }
            }
        }
    }
}

impl Displayed {
    /// True if it is the other one, for these or other ranks.
    fn includes(&self, other: &Self) -> bool {
        let is_in_thread = |own: &Place| other.place.as_ref().is_none_or(|place| own.thread == place.thread);
        self.expression == other.expression && self.shown == other.shown && self.place.as_ref().is_none_or(is_in_thread)
    }
}

/// Formats as gdb's heading: `x`, `/x x`, `x/i $pc`; with a place, `x @ 3.2`.
impl fmt::Display for Displayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shown {
            Shown::Value(None) => f.write_str(&self.expression)?,
            Shown::Value(Some(_)) => write!(f, "{} {}", self.format(), self.expression)?,
            Shown::Memory { .. } => write!(f, "x{} {}", self.format(), self.expression)?,
        }
        match &self.place {
            Some(place) => write!(f, " @ {place}"),
            None => Ok(()),
        }
    }
}

/// The displayed expressions with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Displays {
    expressions: BTreeMap<u32, Displayed>,
    last: u32,
    /// Those that are not shown.
    disabled: BTreeSet<u32>,
}

impl Displays {
    /// Adds an expression; returns its number, or `None` if it is displayed already.
    pub fn add(&mut self, displayed: &Displayed) -> Option<u32> {
        if self.expressions.values().any(|known| known == displayed) {
            return None;
        }
        self.last = self.last.saturating_add(1);
        self.expressions.insert(self.last, displayed.clone());
        Some(self.last)
    }

    /// Adds an expression for the ranks of its place, which join others that display it; returns its number, or `None` if
    /// some rank displays it already.
    pub fn add_for_some(&mut self, displayed: &Displayed) -> Option<u32> {
        let Some(place) = &displayed.place else { return self.add(displayed) };
        match self.expressions.values_mut().find(|known| known.includes(displayed)) {
            Some(Displayed { place: Some(known), .. }) => known.ranks.extend_with(&place.ranks),
            Some(_) => {}
            None => return self.add(displayed),
        }
        None
    }

    /// Returns the number of an expression; `None` if it is not displayed.
    pub fn number_of(&self, displayed: &Displayed) -> Option<u32> {
        let alike = self.expressions.iter().find(|(_, known)| *known == displayed);
        let found = alike.or_else(|| self.expressions.iter().find(|(_, known)| known.includes(displayed)));
        found.map(|(number, _)| *number)
    }

    /// Keeps an expression only for these ranks, and removes it if they do not display it; false if the number does not
    /// exist.
    pub fn keep_for(&mut self, number: u32, ranks: &ProcessSet) -> bool {
        let Some(displayed) = self.expressions.get_mut(&number) else { return false };
        let place = displayed.place.get_or_insert_with(|| Place { ranks: ranks.clone(), thread: None });
        place.ranks = place.ranks.intersection(ranks);
        if place.ranks.is_empty() {
            self.expressions.remove(&number);
        }
        true
    }

    /// Removes an expression; false if the number does not exist.
    pub fn remove(&mut self, number: u32) -> bool {
        self.disabled.remove(&number);
        self.expressions.remove(&number).is_some()
    }

    /// Removes an expression that no rank can evaluate: the next one gets its number.
    pub fn take_back(&mut self, number: u32) {
        if self.remove(number) && number == self.last {
            self.last = number.saturating_sub(1);
        }
    }

    /// Removes all expressions.
    pub fn clear(&mut self) {
        self.expressions.clear();
        self.disabled.clear();
    }

    /// Iterates over numbers and expressions, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Displayed)> {
        self.expressions.iter().map(|(number, displayed)| (*number, displayed))
    }

    /// Iterates over those that are shown.
    pub fn enabled(&self) -> impl Iterator<Item = (u32, &Displayed)> {
        self.iter().filter(|(number, _)| self.is_enabled(*number))
    }

    /// True if an expression is shown.
    pub fn is_enabled(&self, number: u32) -> bool {
        !self.disabled.contains(&number)
    }

    /// Has an expression shown (`true`) or not; false if the number does not exist.
    pub fn enable(&mut self, number: u32, enabled: bool) -> bool {
        let is_known = self.expressions.contains_key(&number);
        match (is_known, enabled) {
            (true, true) => drop(self.disabled.remove(&number)),
            (true, false) => drop(self.disabled.insert(number)),
            (false, _) => {}
        }
        is_known
    }

    /// True if no expression is shown.
    pub fn is_empty(&self) -> bool {
        self.enabled().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expression: &str, letter: Option<FormatLetter>) -> Displayed {
        Displayed { expression: expression.to_owned(), shown: Shown::Value(letter), place: None }
    }

    #[test]
    fn a_number_is_given_once() {
        let mut displays = Displays::default();
        let (x, y) = (value("x", None), value("y", None));
        assert_eq!([displays.add(&x), displays.add(&y), displays.add(&x)], [Some(1), Some(2), None]);
        assert!(displays.remove(2) && !displays.remove(2));
        let y = value("y", Some(FormatLetter::Octal));
        assert_eq!(displays.add(&y), Some(3));
        assert_eq!(displays.iter().collect::<Vec<_>>(), [(1, &x), (3, &y)]);
        displays.clear();
        assert!(displays.is_empty());
    }

    #[test]
    fn ranks_join_and_leave_those_that_display_an_expression() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let on = |ranks: &str| Displayed { place: Some(Place { ranks: set(ranks), thread: None }), ..value("x", None) };
        let mut displays = Displays::default();
        assert_eq!([displays.add_for_some(&on("0-1")), displays.add_for_some(&on("3"))], [Some(1), None]);
        assert_eq!(displays.number_of(&on("3")), Some(1));
        assert_eq!(displays.iter().collect::<Vec<_>>(), [(1, &on("0-1,3"))]);
        assert!(displays.keep_for(1, &set("1-2")) && !displays.keep_for(2, &set("0")));
        assert_eq!(displays.iter().collect::<Vec<_>>(), [(1, &on("1"))]);
        assert!(displays.keep_for(1, &set("0")) && displays.is_empty());
        assert_eq!(displays.add(&value("x", None)), Some(2));
        assert_eq!(displays.add_for_some(&on("0")), None, "all display it already");
        assert!(displays.keep_for(2, &set("0,2")));
        assert_eq!(displays.iter().collect::<Vec<_>>(), [(2, &on("0,2"))]);
    }

    #[test]
    fn they_are_headed_as_in_gdb() {
        let memory = |count, unit, form| Displayed {
            expression: "p".to_owned(),
            shown: Shown::Memory { count, unit, form },
            place: None,
        };
        for (displayed, heading) in [
            (value("p", None), "p"),
            (value("p", Some(FormatLetter::Hexadecimal)), "/x p"),
            (memory(1, 4, Form::Instructions), "x/i p"),
            (memory(3, 4, Form::Values(FormatLetter::Decimal)), "x/3dw p"),
            (memory(1, 1, Form::Values(FormatLetter::String)), "x/s p"),
            (memory(2, 2, Form::Values(FormatLetter::String)), "x/2sh p"),
        ] {
            assert_eq!(displayed.to_string(), heading);
        }
    }
}
