//! The kind of the numbers of an array, for files that say it.

use super::element_kind::{ElementKind, ElementType};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::complex_layout;
use crate::types::stripped;
use debuginfo::types::{Encoding, Kind, TypeRef};
use model::{FloatFormat, NumberKind};

/// Returns the kind of numbers of this type, and how they are stored; fails for everything else.
pub(super) fn number_kind(ty: &TypeRef, context: &EvalContext<'_>) -> Result<(NumberKind, ElementType), EvalError> {
    let (_, found) = stripped(ty, context);
    if matches!(found.kind, Kind::Base(Encoding::Complex)) {
        let layout = complex_layout(&found).map(|(layout, _)| layout);
        let known = layout.and_then(|layout| Some((layout, FloatFormat::of(layout)?))).zip(found.size);
        let ((layout, format), size) =
            known.ok_or_else(|| error("The parts of this complex type have no known format."))?;
        let element = ElementType { kind: ElementKind::Float(layout), size: size as usize };
        return Ok((NumberKind::Complex(format), element));
    }
    let element = ElementType::of(ty, context)?;
    let kind = match element.kind {
        ElementKind::Single => NumberKind::Float(FloatFormat::Single),
        ElementKind::Double => NumberKind::Float(FloatFormat::Double),
        ElementKind::Float(layout) => NumberKind::Float(
            FloatFormat::of(layout).ok_or_else(|| error("This floating-point type has no format of its own."))?,
        ),
        ElementKind::Integer { .. } if matches!(found.kind, Kind::Base(Encoding::Boolean)) => NumberKind::Boolean,
        ElementKind::Integer { signed: true } => NumberKind::Signed,
        ElementKind::Integer { signed: false } => NumberKind::Unsigned,
    };
    Ok((kind, element))
}
