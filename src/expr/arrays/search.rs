//! Finds the elements that meet a condition.

use super::element_kind::{ElementKind, ElementType, MOST_EXACT};
use super::tiles::{TILE, TileUser};
use model::aif::Number;
use model::{Relation, ScanCondition};
use std::cmp::Ordering;

/// The first elements found whose places are kept.
const FIRST: usize = 10;

/// The condition of a search, with the value that it compares with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wanted {
    NotANumber,
    Infinite,
    Denormal,
    Compared(Relation, Number),
}

impl Wanted {
    /// `value` is that of the expression in the condition.
    pub(super) fn new(condition: &ScanCondition, value: Option<Number>) -> Option<Self> {
        Some(match condition {
            ScanCondition::NotANumber => Self::NotANumber,
            ScanCondition::Infinite => Self::Infinite,
            ScanCondition::Denormal => Self::Denormal,
            ScanCondition::Compared(relation, _) => Self::Compared(*relation, value?),
        })
    }
}

/// Keeps some of the elements that a search finds.
pub(super) trait Keeper: Default + Send {
    /// Takes the numbers of so many elements, in their order.
    fn keep(&mut self, found: u64, numbers: impl Iterator<Item = u64>);
}

/// How many were found, and the first of them.
#[derive(Debug, Default)]
pub(super) struct Firsts {
    pub(super) found: u64,
    /// The numbers of the first.
    pub(super) first: Vec<u64>,
}

impl Keeper for Firsts {
    fn keep(&mut self, found: u64, numbers: impl Iterator<Item = u64>) {
        self.found += found;
        self.first.extend(numbers.take(FIRST.saturating_sub(self.first.len())));
    }
}

/// A search among elements.
pub(super) struct Search<K> {
    element: ElementType,
    wanted: Wanted,
    pub(super) kept: K,
}

impl<K: Keeper> Search<K> {
    pub(super) fn new(element: ElementType, wanted: Wanted, kept: K) -> Self {
        Self { element, wanted, kept }
    }

    /// Counts the numbers that meet a condition; their places are looked for only where there are some.
    fn among(&mut self, first: u64, tile: &[f64], meets: impl Fn(f64) -> bool) {
        let found: u64 = tile.iter().map(|value| u64::from(meets(*value))).sum();
        if found == 0 {
            return;
        }
        self.kept.keep(found, (first..).zip(tile).filter(|(_, value)| meets(**value)).map(|(number, _)| number));
    }

    /// As [`Self::among`], with each element as it is.
    fn among_exact(&mut self, first: u64, raw: &[u8], meets: impl Fn(Number) -> bool) {
        let element = self.element;
        let elements = (first..).zip(raw.chunks_exact(element.size));
        let numbers = elements.filter(|(_, bytes)| meets(element.exact(bytes))).map(|(number, _)| number);
        let numbers: Vec<u64> = numbers.collect();
        self.kept.keep(numbers.len() as u64, numbers.into_iter());
    }
}

/// Compares two numbers by their mathematical values; `None` if one is not a number.
fn compared(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Signed(a), Number::Signed(b)) => Some(a.cmp(&b)),
        (Number::Unsigned(a), Number::Unsigned(b)) => Some(a.cmp(&b)),
        (Number::Signed(a), Number::Unsigned(b)) => Some(u128::try_from(a).map_or(Ordering::Less, |a| a.cmp(&b))),
        (Number::Unsigned(a), Number::Signed(b)) => Some(u128::try_from(b).map_or(Ordering::Greater, |b| a.cmp(&b))),
        (a, b) => a.as_f64().partial_cmp(&b.as_f64()),
    }
}

fn holds(relation: Relation, ordering: Option<Ordering>) -> bool {
    match (relation, ordering) {
        (Relation::Unequal, None) => true,
        (_, None) => false,
        (Relation::Less, Some(ordering)) => ordering.is_lt(),
        (Relation::LessOrEqual, Some(ordering)) => ordering.is_le(),
        (Relation::Greater, Some(ordering)) => ordering.is_gt(),
        (Relation::GreaterOrEqual, Some(ordering)) => ordering.is_ge(),
        (Relation::Equal, Some(ordering)) => ordering.is_eq(),
        (Relation::Unequal, Some(ordering)) => ordering.is_ne(),
    }
}

/// True if a double represents the number exactly.
fn is_double(number: Number) -> bool {
    match number {
        Number::Float(layout, _) => layout.size <= 8,
        integer => integer.as_f64().abs() <= MOST_EXACT,
    }
}

impl<K: Keeper> TileUser for Search<K> {
    fn take(&mut self, first: u64, raw: &[u8]) {
        let element = self.element;
        let is_integer = matches!(element.kind, ElementKind::Integer { .. });
        let mut doubles = [0.0; TILE];
        match self.wanted {
            Wanted::NotANumber | Wanted::Infinite | Wanted::Denormal if is_integer => {}
            Wanted::NotANumber => self.among(first, element.doubles(raw, &mut doubles), f64::is_nan),
            Wanted::Infinite => self.among(first, element.doubles(raw, &mut doubles), f64::is_infinite),
            Wanted::Denormal => match element.smallest_normal() {
                Some(smallest) => {
                    let tile = element.doubles(raw, &mut doubles);
                    self.among(first, tile, |value| value.abs() < smallest && value != 0.0);
                }
                None => self.among_exact(first, raw, |number| match number {
                    Number::Float(layout, bits) => layout.is_denormal(bits),
                    _ => false,
                }),
            },
            Wanted::Compared(relation, number) if element.fits_double() && is_double(number) => {
                let (tile, number) = (element.doubles(raw, &mut doubles), number.as_f64());
                match relation {
                    Relation::Less => self.among(first, tile, |value| value < number),
                    Relation::LessOrEqual => self.among(first, tile, |value| value <= number),
                    Relation::Greater => self.among(first, tile, |value| value > number),
                    Relation::GreaterOrEqual => self.among(first, tile, |value| value >= number),
                    Relation::Equal => self.among(first, tile, |value| value == number),
                    Relation::Unequal => self.among(first, tile, |value| value != number),
                }
            }
            Wanted::Compared(relation, number) => {
                self.among_exact(first, raw, |value| holds(relation, compared(value, number)));
            }
        }
    }
}
