//! The strides of an array.

use super::description::Dimension;

/// Computes the bytes from one element to the next along each dimension, the outermost first.
pub fn distances(dimensions: &[Dimension], size: u64) -> Vec<i64> {
    let mut next = i64::try_from(size).unwrap_or(0);
    let mut distances: Vec<i64> = dimensions
        .iter()
        .rev()
        .map(|dimension| {
            let distance = dimension.stride.unwrap_or(next);
            next = distance.saturating_mul(i64::try_from(dimension.count.unwrap_or(0)).unwrap_or(0));
            distance
        })
        .collect();
    distances.reverse();
    distances
}

/// Drops the strides if all of them follow from the size of the elements.
pub fn without_natural(mut dimensions: Vec<Dimension>, size: u64) -> Vec<Dimension> {
    let actual = distances(&dimensions, size);
    dimensions.iter_mut().for_each(|dimension| dimension.stride = None);
    let natural = distances(&dimensions, size);
    if actual != natural {
        dimensions.iter_mut().zip(actual).for_each(|(dimension, distance)| dimension.stride = Some(distance));
    }
    dimensions
}
