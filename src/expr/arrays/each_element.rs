//! One member of every element of an array of structs, for commands that take a whole array.
//!
//! In C an array acts as a pointer to its first element, so `particles.mass` is the mass of the first one. Whoever asks
//! for the numbers of `particles.mass` means those of all of them.

use super::numeric_array::contents;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::{index, member, pointed_object};
use crate::eval::node::{operand, value};
use crate::eval::operand::{Operand, dereferenced};
use crate::eval::strided::{distance, is_within, of_each};
use crate::syntax::tree::{Node, NodeKind};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Dimension, Kind, TypeRef};

/// A part of every element of an array, and of every element of the arrays in them.
struct Each {
    /// The part of the first element; the whole array until a member is taken.
    part: Value,
    /// The first element of the outermost array, and its size.
    first: (Value, u64),
    /// The elements and dimensions of the arrays, from the outermost in.
    arrays: Vec<(TypeRef, Vec<Dimension>)>,
}

impl Each {
    /// Takes an array of structs whole; `None` for anything else.
    fn of(array: Value, s: &EvalContext<'_>) -> Option<Self> {
        let (element, _) = structs(&array, s)?;
        let size = size_of(&element, s).unwrap_or(0);
        Some(Self { first: (array.part(element, 0, None), size), part: array, arrays: Vec::new() })
    }

    /// Takes a member of the part, or of every struct in it.
    fn member(mut self, name: &str, arrow: bool, s: &EvalContext<'_>) -> Result<Self, EvalError> {
        if let Some((element, dimensions)) = structs(&self.part, s) {
            refuse_arrow(name, arrow, &dimensions)?;
            self.part = self.part.part(element.clone(), 0, None);
            self.arrays.push((element, dimensions));
        }
        let part = member(&self.part, name, arrow, s)?;
        self.stored(part, name, s)
    }

    fn index(self, at: &Operand, s: &EvalContext<'_>) -> Result<Self, EvalError> {
        let part = index(&self.part, at, s)?;
        self.stored(part, "this", s)
    }

    /// Replaces the part by one of its parts, which must be stored in the element.
    fn stored(self, part: Value, name: &str, s: &EvalContext<'_>) -> Result<Self, EvalError> {
        let (first, size) = &self.first;
        let leads_elsewhere = matches!(stripped(self.part.ty(), s).1.kind, Kind::Pointer(_) | Kind::Reference(..));
        if leads_elsewhere || !is_within(&part, first, *size) {
            return Err(error(format!("The elements only point to {name}: take one of them, as in [0].")));
        }
        Ok(Self { part, ..self })
    }

    /// Returns the parts as an array.
    fn array(self, s: &EvalContext<'_>) -> Result<Value, EvalError> {
        let mut arrays = self.arrays.iter().rev();
        arrays.try_fold(self.part, |part, (element, dimensions)| of_each(&part, element, dimensions, s))
    }
}

/// Returns the type of the elements and the dimensions of an array of structs.
fn structs(array: &Value, s: &EvalContext<'_>) -> Option<(TypeRef, Vec<Dimension>)> {
    let (_, found) = stripped(array.ty(), s);
    let Kind::Array { element, dimensions } = &found.kind else { return None };
    let is_struct = matches!(stripped(element, s).1.kind, Kind::Aggregate { .. } | Kind::Variants(_));
    is_struct.then(|| (element.clone(), dimensions.clone()))
}

fn is_one(dimensions: &[Dimension]) -> bool {
    dimensions.iter().all(|dimension| dimension.count == Some(1))
}

/// Fails for `->` behind an array of several elements: to C it means the first one.
fn refuse_arrow(name: &str, arrow: bool, dimensions: &[Dimension]) -> Result<(), EvalError> {
    if !arrow || is_one(dimensions) {
        return Ok(());
    }
    let why = "-> leads to the first element only: write a dot for that member of all elements";
    Err(error(format!("{why}, or take one, as in [0].{name}.")))
}

/// Evaluates an expression for a command that takes an array: the member of an array of structs is that member of each
/// of them, with the distance between the structs as its stride. Fails where C would take the first struct instead, and
/// where `p[0].x@9` would go on into the members that follow.
pub(crate) fn array_value(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    // A component of a Fortran array is that of all elements already.
    let each = if s.language().has_columns() { None } else { each(node, s)? };
    let array = match each {
        Some(each) => each.array(s)?,
        None => value(node, s)?,
    };
    if let NodeKind::Repeat(first, _) = &node.kind {
        refuse_beyond_struct(&array, first, s).map_err(|error| error.at(first.position))?;
    }
    Ok(array)
}

/// Returns what a chain of members and subscripts takes from every element; `None` if it takes one value.
fn each(node: &Node, s: &EvalContext<'_>) -> Result<Option<Each>, EvalError> {
    let positioned = |error: EvalError| error.at(node.position);
    match &node.kind {
        NodeKind::Member { of, name, arrow } => match each(of, s)? {
            Some(each) => each.member(name, *arrow, s).map(Some).map_err(positioned),
            None => members_of(of, name, *arrow, s).map_err(positioned),
        },
        NodeKind::Index(of, at) => {
            refuse(at, s)?;
            let Some(each) = each(of, s)? else { return Ok(None) };
            each.index(&operand(at, s)?, s).map(Some).map_err(positioned)
        }
        NodeKind::SizeOf(_) => Ok(None),
        _ => node.kind.parts().into_iter().try_for_each(|part| refuse(part, s)).map(|()| None),
    }
}

/// Fails if a node that computes, or a subscript, would take the first element for all of them.
fn refuse(node: &Node, s: &EvalContext<'_>) -> Result<(), EvalError> {
    match (each(node, s)?, &node.kind) {
        (Some(_), NodeKind::Member { name, .. }) => {
            let why = "is a member of every element here, and only one number can be computed with: take one element";
            Err(error(format!("{name} {why}, as in [0].{name}.")).at(node.position))
        }
        (Some(_), _) => Err(error("Only one number can be computed with: take one element.").at(node.position)),
        (None, _) => Ok(()),
    }
}

/// Returns the member of every struct of an array, or of a container that stores them one after another.
fn members_of(of: &Node, name: &str, arrow: bool, s: &EvalContext<'_>) -> Result<Option<Each>, EvalError> {
    // The type decides, so that nothing is evaluated twice.
    let types = s.avoiding_side_effects();
    let Ok(typed) = value(of, &types).and_then(|of| dereferenced(&of, &types)) else { return Ok(None) };
    let whole = match &stripped(typed.ty(), s).1.kind {
        Kind::Array { .. } => dereferenced(&value(of, s)?, s)?,
        Kind::Aggregate { .. } if !arrow && member(&typed, name, false, &types).is_err() => {
            match contents(&dereferenced(&value(of, s)?, s)?, s) {
                Ok(contents) => contents,
                Err(_) => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    match structs(&whole, s) {
        // The idiom of a struct declared as an array of one, which acts as a pointer to it.
        Some((_, dimensions)) if arrow && is_one(&dimensions) => Ok(None),
        Some(_) => Each::of(whole, s).map(|each| each.member(name, arrow, s)).transpose(),
        None => Ok(None),
    }
}

/// Fails if the elements of `p[0].x@9` would go on past the end of `p[0]`, into the members of the next struct.
fn refuse_beyond_struct(elements: &Value, first: &Node, s: &EvalContext<'_>) -> Result<(), EvalError> {
    let mut part = first;
    while let NodeKind::Index(of, _) = &part.kind {
        part = of;
    }
    let mut of = part;
    while let NodeKind::Member { of: outer, arrow, .. } = &of.kind {
        of = outer;
        if *arrow {
            break;
        }
    }
    if std::ptr::eq(of, part) || !is_plain(first) {
        return Ok(());
    }
    let whole = pointed_object(&value(of, s)?, s)?;
    let size = size_of(whole.ty(), s).unwrap_or(0);
    // A pointer, or a container, leads out of the struct.
    let Some(before) = distance(elements, &whole).filter(|before| *before < size) else { return Ok(()) };
    let end = size_of(elements.ty(), s).and_then(|length| length.checked_add(before));
    let is_short = match &stripped(value(part, s)?.ty(), s).1.kind {
        Kind::Array { dimensions, .. } => dimensions.iter().all(|one| one.count.is_none_or(|count| count <= 1)),
        _ => false,
    };
    // An array declared with at most one element, at the end of a struct, is longer than that.
    if is_short || end.is_some_and(|end| end <= size) {
        return Ok(());
    }
    let ty = s.type_name(whole.ty());
    let instead = match &part.kind {
        NodeKind::Member { name, .. } => format!(": for {name} of 9 of them, write (p[0]@9).{name}"),
        _ => String::new(),
    };
    Err(error(format!("@ takes what follows in memory, and this goes on past the end of the {ty}{instead}.")))
}

/// True for names, members, subscripts and what is computed from them: evaluating them twice changes nothing.
fn is_plain(node: &Node) -> bool {
    !matches!(node.kind, NodeKind::Call(..) | NodeKind::Assign(..) | NodeKind::Step { .. })
        && node.kind.parts().into_iter().all(is_plain)
}
