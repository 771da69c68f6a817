//! The elements of an array that were on the screen at the last stop: which of the present ones differ.

use super::glance::Subject;
use model::{ArrayPage, ArraySection, Axes, Rank};
use std::collections::HashMap;

/// Elements whose values are kept to be compared at the next stop.
const REMEMBERED: usize = 1 << 17;

/// A two-dimensional section: its axes, and the place in the other dimensions.
type Plane = (Axes, Vec<u64>);

/// The elements seen at a stop, by their numbers along the axes.
type Elements = HashMap<(u64, u64), Vec<u8>>;

/// The elements that were on the screen at this stop and at the one before.
#[derive(Debug, Default)]
pub(in crate::core) struct SeenElements {
    lead: Rank,
    expression: String,
    stop: u64,
    now: HashMap<Plane, Elements>,
    before: HashMap<Plane, Elements>,
}

impl SeenElements {
    /// Returns which elements of a page differ from the last stop at which they were on the screen.
    pub(super) fn compared(&mut self, subject: &Subject, expression: &str, page: &ArrayPage) -> Vec<bool> {
        if (self.lead, self.expression.as_str()) != (subject.lead, expression) {
            *self =
                Self { lead: subject.lead, expression: expression.to_owned(), stop: subject.stop, ..Self::default() };
        }
        if self.stop != subject.stop {
            self.before = std::mem::take(&mut self.now);
            self.stop = subject.stop;
        }
        let ArraySection { axes, at, rows, columns } = &page.section;
        let plane = (axes.unwrap_or_default(), at.clone());
        if self.now.values().map(HashMap::len).sum::<usize>() > REMEMBERED {
            self.now.clear();
        }
        let before = self.before.get(&plane);
        let now = self.now.entry(plane).or_default();
        let mut changed = Vec::new();
        for row in rows.from..rows.end() {
            for column in columns.from..columns.end() {
                let element = page.element(row, column).filter(|(_, marks)| marks & ArrayPage::UNREADABLE == 0);
                let known = before.and_then(|before| before.get(&(row, column)));
                changed.push(element.zip(known).is_some_and(|((data, _), known)| data != known));
                if let Some((data, _)) = element {
                    now.insert((row, column), data.to_vec());
                }
            }
        }
        if changed.contains(&true) { changed } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Span;

    fn subject(stop: u64) -> Subject {
        Subject { stop, ..Subject::of(Rank(0)) }
    }

    fn page(at: u64, from: u64, data: &[u8]) -> ArrayPage {
        let columns = Span { from, count: data.len() as u64 };
        let section =
            ArraySection { axes: Some(Axes::default()), at: vec![at], rows: Span { from: 0, count: 1 }, columns };
        ArrayPage { section, descriptor: "is1".into(), data: data.to_vec(), marks: Vec::new() }
    }

    #[test]
    fn elements_are_compared_with_those_of_the_last_stop() {
        let mut seen = SeenElements::default();
        let none: [bool; 0] = [];
        assert_eq!(seen.compared(&subject(1), "u", &page(0, 0, &[1, 2, 3])), none);
        assert_eq!(seen.compared(&subject(1), "u", &page(0, 2, &[3, 4])), none, "the same stop, scrolled");
        assert_eq!(seen.compared(&subject(2), "u", &page(0, 1, &[2, 7, 4, 5])), [false, true, false, false]);
        assert_eq!(seen.compared(&subject(2), "u", &page(0, 0, &[9])), [true]);
        assert_eq!(seen.compared(&subject(3), "u", &page(1, 0, &[9, 9])), none, "another section");
        assert_eq!(seen.compared(&subject(3), "v", &page(0, 1, &[7])), none, "another array");
    }
}
