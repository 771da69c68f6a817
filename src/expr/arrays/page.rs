//! A page of the elements of an array.

use super::numeric_array::NumericArray;
use super::packed::packed;
use super::search::{Keeper, Search, Wanted};
use super::section::part;
use super::tiles::Tiles;
use crate::EvalError;
use crate::context::EvalContext;
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use model::aif::AifType;
use model::{ArrayPage, ArraySection};

/// Returns the elements of a section that is inside of the array; those that meet a condition are marked.
pub(super) fn page(
    array: &NumericArray,
    element: &TypeRef,
    mut section: ArraySection,
    wanted: Option<Wanted>,
    context: &EvalContext<'_>,
) -> Result<ArrayPage, EvalError> {
    section.columns.count = section.columns.count.min(ArrayPage::MOST);
    section.rows.count = section.rows.count.min(ArrayPage::MOST / section.columns.count.max(1));
    let elements = part(array, &section);
    let (raw, mut marks) = read(&elements, context)?;
    let (descriptor, size) = form(element, &elements, &raw, &marks, context)?;
    if let Some(wanted) = wanted {
        let mut search = Search::new(array.element, wanted, All::default());
        let mut tiles = Tiles::new(array.element.size, &mut search);
        tiles.add(&raw);
        tiles.end();
        for number in search.kept.0 {
            let mark = usize::try_from(number).ok().and_then(|number| marks.get_mut(number));
            mark.into_iter().filter(|mark| **mark == 0).for_each(|mark| *mark = ArrayPage::MEETS);
        }
    }
    let mut data = Vec::with_capacity(elements.count as usize * size);
    for element in raw.chunks_exact(array.element.size) {
        data.extend(element.iter().take(size).rev());
    }
    if marks.iter().all(|mark| *mark == 0) {
        marks.clear();
    }
    Ok(ArrayPage { section, descriptor, data, marks })
}

/// All elements found.
#[derive(Default)]
struct All(Vec<u64>);

impl Keeper for All {
    fn keep(&mut self, _: u64, numbers: impl Iterator<Item = u64>) {
        self.0.extend(numbers);
    }
}

/// Reads elements and marks those that cannot be read; fails if none can.
fn read(elements: &NumericArray, context: &EvalContext<'_>) -> Result<(Vec<u8>, Vec<u8>), EvalError> {
    let mut marks = vec![0; elements.count as usize];
    let whole = packed(elements, &elements.extents, 0..elements.count, context);
    let why = match whole {
        Ok(raw) => return Ok((raw, marks)),
        Err(why) => why,
    };
    let mut raw = Vec::with_capacity(marks.len() * elements.element.size);
    for (number, mark) in (0..).zip(&mut marks) {
        match packed(elements, &elements.extents, number..number + 1, context) {
            Ok(element) => raw.extend(element),
            Err(_) => {
                raw.resize(raw.len() + elements.element.size, 0);
                *mark = ArrayPage::UNREADABLE;
            }
        }
    }
    if marks.iter().all(|mark| *mark == ArrayPage::UNREADABLE) { Err(why) } else { Ok((raw, marks)) }
}

/// Returns the AIF descriptor of the elements, and how many of the first bytes of each are its data.
fn form(
    element: &TypeRef,
    elements: &NumericArray,
    raw: &[u8],
    marks: &[u8],
    context: &EvalContext<'_>,
) -> Result<(String, usize), EvalError> {
    let size = elements.element.size;
    let address = (AifType::Address { size: size as u32 }.to_string(), size);
    if matches!(stripped(element, context).1.kind, Kind::Pointer(_)) {
        return Ok(address);
    }
    let readable = marks.iter().position(|mark| *mark == 0).unwrap_or(0);
    let first = raw.get(readable * size..(readable + 1) * size);
    // The type says enough if there is no element.
    let bytes = first.map_or_else(|| vec![0; size], <[u8]>::to_vec);
    let datum = Value::known(element.clone(), bytes.clone()).to_datum(context)?;
    let length = datum.data.len();
    let is_plain = length <= size && bytes.iter().take(length).rev().eq(&datum.data);
    Ok(if is_plain { (datum.descriptor, length) } else { address })
}
