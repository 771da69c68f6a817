//! Structures that are too long to be read whole: their members are read one by one, and of long arrays the beginning.

use super::value_to_aif::{Builder, Built, incomplete, unavailable};
use crate::lang::cpp::base_classes::member_value;
use crate::types::{MAX_DEPTH, size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::{Aggregate, Kind, Member, Type};
use model::aif::{AifType, AifValue, Field};

impl Builder<'_> {
    /// Converts a structure in memory that is longer than what is read at once; `None` for other values.
    pub(super) fn by_members(&self, value: &Value, depth: u32) -> Option<Built> {
        let (reference, found) = stripped(value.ty(), self.context);
        let is_long = size_of(&reference, self.context).is_some_and(|size| size > LONGEST);
        value.address().filter(|_| is_long)?;
        match &found.kind {
            Kind::Aggregate { declaration: true, .. } => None,
            Kind::Aggregate { .. } if depth > MAX_DEPTH => Some(Ok(incomplete())),
            Kind::Aggregate { tag, members, .. } => Some(self.each_member(value, (&found, *tag, members), depth)),
            _ => None,
        }
    }

    /// True if the virtual base class has not been shown yet: an object has each only once.
    pub(super) fn is_first_of(&self, member: &Member) -> bool {
        let is_first = !self.virtual_bases.borrow().contains(&member.ty);
        if is_first {
            self.virtual_bases.borrow_mut().push(member.ty.clone());
        }
        is_first
    }

    fn each_member(&self, value: &Value, (found, tag, members): (&Type, Aggregate, &[Member]), depth: u32) -> Built {
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for member in members {
            let name = self.member_name(member);
            if let Err(why) = self.budget.read(0) {
                // One entry stands for all that are left.
                let (ty, value) = unavailable(&why);
                fields.push(Field { name, ty });
                values.push(value);
                break;
            }
            let (name, (ty, value)) = match member {
                Member { virtual_at: Some(_), .. } if !self.is_first_of(member) => continue,
                Member { is_static: true, .. } => (format!("static {name}"), self.shared(found, member, depth)),
                Member { bits: Some((first, width)), .. } => {
                    let field = value.part(member.ty.clone(), 0, Some((*first, *width)));
                    let (reference, ty) = stripped(&member.ty, self.context);
                    (name, self.bit_field(&reference, &ty, field.read_bits(0, self.context)?, *width)?)
                }
                _ => {
                    let part = member_value(value, member, self.context)?;
                    (name, self.object(|| self.part(&part, depth + 1))?)
                }
            };
            fields.push(Field { name, ty });
            values.push(value);
        }
        let name = found.name.as_deref().unwrap_or_default().to_owned();
        let ty = match tag {
            Aggregate::Union => AifType::Union { name, members: fields },
            _ => AifType::aggregate(name, fields),
        };
        Ok((ty, AifValue::Members(values)))
    }
}
