//! Looks at a part of an array, for a view of it.

use super::element_kind::ElementType;
use super::measure::wanted;
use super::numeric_array::{NumericArray, contents};
use super::page::page;
use super::pixels::picture;
use super::search::{Keeper, Search};
use super::section::{moved_inside, number_of, part, place_of, shape};
use super::walk::{may_begin, walk};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::dereferenced;
use crate::value::Value;
use model::{ArrayFinding, ArrayLook, ArrayMatch, ArrayPart};
use std::time::Instant;

/// Looks at a part of an array; `value` is that of the expression in the condition, if there is one.
pub fn look_at_array(
    value: &Value,
    look: &ArrayLook,
    limit: Option<&Value>,
    context: &EvalContext<'_>,
) -> Result<ArrayPart, EvalError> {
    let value = dereferenced(value, context)?;
    let mut element = None;
    let array = NumericArray::with_elements(&value, &contents(&value, context)?, context, |ty| {
        element = Some(ty.clone());
        ElementType::of(ty, context)
    })?;
    let element = element.ok_or_else(|| error("The array has no elements."))?;
    let shape = shape(&array, context.type_name(&element));
    let finding = match look {
        ArrayLook::Page { section, condition } => {
            let wanted = condition.as_ref().map(|condition| wanted(condition, limit, context)).transpose()?;
            ArrayFinding::Page(page(&array, &element, moved_inside(section, &shape), wanted, context)?)
        }
        ArrayLook::Picture { section, height, width, reductions } => {
            let section = moved_inside(section, &shape);
            let elements = part(&array, &section);
            ArrayFinding::Picture(picture(&elements, section, (*height, *width), reductions, context)?)
        }
        ArrayLook::Match { condition, from, backward } => {
            let since = Instant::now();
            may_begin(&array, context)?;
            let kept = Nearest { from: number_of(&array, from), ..Nearest::default() };
            let mut search = Search::new(array.element, wanted(condition, limit, context)?, kept);
            walk(&array, context, since, &mut search)?;
            let found = search.kept.found;
            let next = search.kept.next(*backward);
            ArrayFinding::Match(next.map(|next| ArrayMatch {
                at: place_of(&array, next.element),
                number: next.number,
                found,
            }))
        }
    };
    Ok(ArrayPart { shape, finding })
}

/// An element that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// Its number among the elements, from 0.
    pub(super) element: u64,
    /// Its number among those found, from 1.
    pub(super) number: u64,
}

/// The elements found around one of them.
#[derive(Debug, Default)]
pub(super) struct Nearest {
    pub(super) from: u64,
    pub(super) found: u64,
    first: Option<Hit>,
    last: Option<Hit>,
    before: Option<Hit>,
    after: Option<Hit>,
}

impl Keeper for Nearest {
    fn keep(&mut self, _: u64, numbers: impl Iterator<Item = u64>) {
        for element in numbers {
            self.found += 1;
            let hit = Some(Hit { element, number: self.found });
            self.first = self.first.or(hit);
            self.last = hit;
            if element < self.from {
                self.before = hit;
            } else if element > self.from {
                self.after = self.after.or(hit);
            }
        }
    }
}

impl Nearest {
    /// Returns the next one, or the one before; after the last comes the first.
    pub(super) fn next(&self, backward: bool) -> Option<Hit> {
        if backward { self.before.or(self.last) } else { self.after.or(self.first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_next_match_is_the_one_that_a_plain_search_finds(
            elements in proptest::collection::btree_set(0_u64..50, 0..20), from in 0_u64..50, tile in 1_usize..9
        ) {
            let elements: Vec<u64> = elements.into_iter().collect();
            let mut nearest = Nearest { from, ..Nearest::default() };
            elements.chunks(tile).for_each(|tile| nearest.keep(tile.len() as u64, tile.iter().copied()));
            let hit = |at: Option<usize>| at.map(|at| Hit { element: elements[at], number: at as u64 + 1 });
            let last = elements.len().checked_sub(1);
            let after = elements.iter().position(|element| *element > from).or(last.map(|_| 0));
            let before = elements.iter().rposition(|element| *element < from).or(last);
            prop_assert_eq!((nearest.next(false), nearest.next(true)), (hit(after), hit(before)));
            prop_assert_eq!(nearest.found, elements.len() as u64);
        }
    }
}
