//! A section of an array in two dimensions, for a view of it.

use super::numeric_array::{Extent, NumericArray};
use super::packed::by_subscripts;
use model::{ArrayExtent, ArraySection, ArrayShape, Axes, Span};

/// Returns the dimensions of an array, in the order of its subscripts.
pub(super) fn shape(array: &NumericArray, element_type: String) -> ArrayShape {
    let extents = by_subscripts(array);
    ArrayShape {
        element_type,
        extents: extents.iter().map(|extent| ArrayExtent { lower: extent.lower, count: extent.count }).collect(),
        parentheses: array.is_in_parentheses(),
        by_columns: array.by_columns,
    }
}

/// Moves a section into the array: its axes and the place in every dimension are known then.
pub(super) fn moved_inside(asked: &ArraySection, shape: &ArrayShape) -> ArraySection {
    let dimensions = shape.extents.len();
    let is_one = |axis: Option<u32>| axis.is_none_or(|axis| (axis as usize) < dimensions);
    let axes = asked.axes.filter(|axes| {
        let apart = axes.rows != axes.columns || axes.rows.is_none();
        is_one(axes.rows) && is_one(axes.columns) && apart
    });
    let axes = axes.unwrap_or_else(|| shape.usual_axes());
    let along = |(dimension, extent): (usize, &ArrayExtent)| {
        let is_axis = [axes.rows, axes.columns].contains(&u32::try_from(dimension).ok());
        let at = asked.at.get(dimension).copied().filter(|_| !is_axis).unwrap_or(0);
        at.min(extent.count.saturating_sub(1))
    };
    let lines = if axes.rows.is_none() { asked.rows.count.max(1) } else { 1 };
    let columns = Span { count: asked.columns.count.saturating_mul(lines), ..asked.columns };
    ArraySection {
        at: shape.extents.iter().enumerate().map(along).collect(),
        rows: asked.rows.within(shape.along(axes.rows).count),
        columns: columns.within(shape.along(axes.columns).count),
        axes: Some(axes),
    }
}

/// Returns the elements of a section that is inside of the array, row by row.
pub(super) fn part(array: &NumericArray, section: &ArraySection) -> NumericArray {
    let extents = by_subscripts(array);
    let axes = section.axes.unwrap_or_default();
    let one = Extent { lower: 0, count: 1, distance: 0 };
    let axis = |axis: Option<u32>| axis.and_then(|axis| extents.get(axis as usize)).copied().unwrap_or(one);
    let Axes { rows, columns } = axes;
    let (rows, columns) = (axis(rows), axis(columns));
    let step = |distance: i64, number: u64| distance.wrapping_mul(number as i64);
    let fixed = extents
        .iter()
        .zip(&section.at)
        .fold(0_i64, |offset, (extent, at)| offset.wrapping_add(step(extent.distance, *at)));
    let offset = fixed
        .wrapping_add(step(rows.distance, section.rows.from))
        .wrapping_add(step(columns.distance, section.columns.from));
    let of = |extent: Extent, count: u64| Extent { count, ..extent };
    // An array without elements has none in any section.
    let none = array.count == 0;
    let count = |count: u64| if none { 0 } else { count };
    array.part(offset, vec![of(rows, count(section.rows.count)), of(columns, count(section.columns.count))])
}

/// Returns the number of an element, counted in the order of memory, from its numbers in the dimensions.
pub(super) fn number_of(array: &NumericArray, at: &[u64]) -> u64 {
    let mut at: Vec<u64> = (0..array.extents.len()).map(|dimension| at.get(dimension).copied().unwrap_or(0)).collect();
    in_order(array, &mut at);
    let places = array.extents.iter().zip(at);
    places.fold(0, |number, (extent, at)| {
        number.saturating_mul(extent.count).saturating_add(at.min(extent.count.saturating_sub(1)))
    })
}

/// Returns the numbers of an element in the dimensions, from its number in the order of memory.
pub(super) fn place_of(array: &NumericArray, number: u64) -> Vec<u64> {
    let mut rest = number;
    let mut at: Vec<u64> = Vec::with_capacity(array.extents.len());
    for extent in array.extents.iter().rev() {
        at.push(rest % extent.count.max(1));
        rest /= extent.count.max(1);
    }
    at.reverse();
    in_order(array, &mut at);
    at
}

/// Puts what belongs to the dimensions from the order of memory into that of the subscripts, or back.
fn in_order(array: &NumericArray, of_dimensions: &mut [u64]) {
    if !array.by_columns {
        return;
    }
    let mut start = 0;
    for dimensions in &array.nested {
        of_dimensions.get_mut(start..start + dimensions).unwrap_or_default().reverse();
        start += dimensions;
    }
}
