//! The members of structs that are elements of arrays, for files that say where each of them is.

use super::number_kind::number_kind;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::types::{MAX_DEPTH, stripped};
use debuginfo::types::{Aggregate, Dimension, Kind, Member, Type, TypeRef};
use model::{ElementForm, NumberKind, RecordField};

/// Most members of a struct with those of its own structs: a type of a few lines may have more than fit into memory.
const MOST_FIELDS: usize = 4096;

/// Returns what the elements of an array are if its innermost type is a struct, and the bytes of one of them; `None` for
/// every other type.
pub(super) fn record(ty: &TypeRef, context: &EvalContext<'_>) -> Option<Result<(ElementForm, u32), EvalError>> {
    let (_, found) = stripped(ty, context);
    if !matches!(found.kind, Kind::Aggregate { .. }) {
        return None;
    }
    let mut reader = Reader { context, left: MOST_FIELDS };
    Some(reader.aggregate(&found, &context.type_name(ty), 0))
}

struct Reader<'a> {
    context: &'a EvalContext<'a>,
    left: usize,
}

impl Reader<'_> {
    fn aggregate(&mut self, found: &Type, name: &str, depth: u32) -> Result<(ElementForm, u32), EvalError> {
        let Kind::Aggregate { tag, members, declaration } = &found.kind else {
            return Err(error(format!("{name} is no struct.")));
        };
        let size = found.size.and_then(|size| u32::try_from(size).ok()).filter(|_| !declaration);
        let size = size.ok_or_else(|| error(format!("The size of {name} is not known.")))?;
        if depth >= MAX_DEPTH {
            return Err(error(format!("{name} has too many structs within each other.")));
        }
        if is_of_library(found) && self.leads_elsewhere(found, 0) {
            return Err(error(format!(
                "{name} does not store its contents in the object: save the other members one at a time, or the bytes of \
                 the objects with dump value FILE EXPRESSION."
            )));
        }
        if *tag == Aggregate::Union {
            return Ok((ElementForm::Bytes, size));
        }
        let mut fields = self.fields(members, name, depth)?;
        fields.sort_by_key(|field| field.offset);
        if fields.is_empty() {
            return Err(error(format!("{name} has no members.")));
        }
        Ok((ElementForm::Record(fields), size))
    }

    fn fields(&mut self, members: &[Member], of: &str, depth: u32) -> Result<Vec<RecordField>, EvalError> {
        let mut fields: Vec<RecordField> = Vec::new();
        for member in members.iter().filter(|member| !member.is_static) {
            self.left = self.left.checked_sub(1).ok_or_else(|| error(format!("{of} has too many members.")))?;
            let name = member.name.as_deref().unwrap_or_default();
            if member.bits.is_some() {
                return Err(error(format!("{of}::{name} is a bit-field: save the other members one at a time.")));
            }
            if member.virtual_at.is_some() {
                return Err(error(format!(
                    "The place of the virtual base class {name} differs from object to object."
                )));
            }
            let Some(field) = self.field(member, of, depth)? else { continue };
            match field {
                // Members of a base class or of an unnamed struct are named like those of the struct, unless they are
                // hidden by one.
                RecordField { offset, element: ElementForm::Record(inner), counts, .. }
                    if (member.base || name.is_empty()) && counts.is_empty() && !meets(&inner, members) =>
                {
                    let moved = |field: RecordField| RecordField { offset: offset + field.offset, ..field };
                    fields.extend(inner.into_iter().map(moved));
                }
                field => fields.push(field),
            }
        }
        let mut names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair.first() == pair.last()) {
            Some(pair) => {
                let name = pair.first().copied().unwrap_or_default();
                Err(error(format!("{of} has several members named {name}: save them one at a time.")))
            }
            None => Ok(fields),
        }
    }

    /// Returns a member as a field; `None` for one without a size of its own, such as the array at the end of a struct.
    fn field(&mut self, member: &Member, of: &str, depth: u32) -> Result<Option<RecordField>, EvalError> {
        let name = match &member.name {
            Some(name) => name.to_string(),
            None => format!("unnamed_{}", member.offset),
        };
        let mut counts = Vec::new();
        let mut ty = member.ty.clone();
        for _ in 0..MAX_DEPTH {
            let (_, found) = stripped(&ty, self.context);
            let Kind::Array { element, dimensions } = &found.kind else { break };
            if dimensions.iter().all(|dimension| dimension.count.is_none() && dimension.stride.is_none()) {
                return Ok(None);
            }
            let is_plain = |one: &Dimension| one.count.is_some() && !one.assumed && one.stride.is_none();
            if !dimensions.iter().all(is_plain) {
                let sign = if self.context.language().has_columns() { '%' } else { '.' };
                return Err(error(format!(
                    "The elements of {of}{sign}{name} are not stored in the struct: save the members one at a time."
                )));
            }
            counts.extend(dimensions.iter().filter_map(|dimension| dimension.count));
            ty = element.clone();
        }
        let (_, found) = stripped(&ty, self.context);
        let (element, size) = match &found.kind {
            Kind::Aggregate { .. } => self.aggregate(&found, &self.context.type_name(&ty), depth + 1)?,
            // The address, as of a pointer.
            Kind::Reference(..) => (ElementForm::Number(NumberKind::Unsigned), 8),
            _ => {
                let (kind, element) =
                    number_kind(&ty, self.context).map_err(|why| error(format!("{of}::{name}: {}", why.message)))?;
                (ElementForm::Number(kind), u32::try_from(element.size).unwrap_or(u32::MAX))
            }
        };
        Ok(Some(RecordField { name, offset: member.offset, element, size, counts }))
    }

    /// True if a part of the type is a pointer.
    fn leads_elsewhere(&self, found: &Type, depth: u32) -> bool {
        match &found.kind {
            Kind::Pointer(_) | Kind::Reference(..) => true,
            Kind::Aggregate { members, .. } if depth < MAX_DEPTH => {
                let own = members.iter().filter(|member| !member.is_static).take(MOST_FIELDS);
                own.map(|member| stripped(&member.ty, self.context).1).any(|ty| self.leads_elsewhere(&ty, depth + 1))
            }
            Kind::Array { element, .. } if depth < MAX_DEPTH => {
                self.leads_elsewhere(&stripped(element, self.context).1, depth + 1)
            }
            _ => false,
        }
    }
}

/// True for the types of the C++ and Rust libraries.
fn is_of_library(found: &Type) -> bool {
    let name = found.name.as_deref().unwrap_or_default();
    ["std::", "alloc::", "core::"].iter().any(|library| name.starts_with(library))
}

/// True if a member has the name of one of the fields.
fn meets(fields: &[RecordField], members: &[Member]) -> bool {
    members.iter().any(|member| fields.iter().any(|field| Some(field.name.as_str()) == member.name.as_deref()))
}
