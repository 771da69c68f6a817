//! Short names valid inside a class: its template parameters and its typedefs.
//!
//! gdb keeps them in a hash table (`htab` of libiberty), hashed by the name of the type they stand for. While probing,
//! however, it only compares types without typedefs. So if two entries collide, `const_pointer` may be shown as
//! `pointer`. This table works the same way, so that the same names result.

use crate::context::EvalContext;
use crate::types::{MAX_DEPTH, stripped, type_of};
use debuginfo::types::classes::ClassDetail;
use debuginfo::types::{Kind, Member, TypeRef};
use model::aif::as_gdb_spells;
use std::sync::Arc;

/// Limit on the length of a chain of base classes.
const MOST_BASES: usize = 64;

const PRIMES: [usize; 11] = [7, 13, 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191];

/// Initial number of entries that a table is made for.
const FIRST: usize = 10;

#[derive(Clone)]
pub(crate) struct LocalNames {
    slots: Vec<Option<LocalName>>,
    count: usize,
}

#[derive(Clone)]
struct LocalName {
    /// The type that the name stands for.
    ty: TypeRef,
    /// Hash of the type's name.
    hash: u32,
    /// The type's name outside the class, without typedefs.
    outside: Option<String>,
    /// True if the type is defined; an incomplete type is not found by its name.
    defined: bool,
    name: Arc<str>,
}

/// Result of a search in the table.
enum Place {
    Found(usize),
    Empty(usize),
    Full,
}

fn hash(name: &str) -> u32 {
    name.bytes().fold(0_u32, |hash, byte| hash.wrapping_mul(67).wrapping_add(u32::from(byte)).wrapping_sub(113))
}

fn size_for(count: usize) -> usize {
    PRIMES.into_iter().find(|prime| *prime >= count).unwrap_or(count)
}

/// Returns the name by which gdb hashes a type.
fn own_name(ty: &TypeRef, s: &EvalContext<'_>) -> String {
    let mut found = type_of(ty, s);
    for _ in 0..MAX_DEPTH {
        match &found.kind {
            Kind::Qualified(_, next) => found = type_of(next, s),
            _ => break,
        }
    }
    match (&found.kind, found.name.as_deref()) {
        (Kind::Void, None) => "void".to_owned(),
        (Kind::Base(_), Some(name)) => as_gdb_spells(name),
        (_, Some(name)) => name.to_owned(),
        (_, None) => "<unnamed type>".to_owned(),
    }
}

impl LocalNames {
    fn with_room(size: usize) -> Self {
        Self { slots: vec![None; size], count: 0 }
    }

    /// Adds the parameters of a class template to the names of the enclosing class.
    pub(crate) fn of_template(outer: Option<&Self>, class: &ClassDetail, s: &EvalContext<'_>) -> Self {
        let mut names = outer.map_or_else(|| Self::with_room(size_for(FIRST)), |outer| outer.copied(s));
        class.template.iter().for_each(|(name, ty)| names.add(name, ty, s));
        names
    }

    /// Copies the names into a new table, where their slots may differ.
    pub(crate) fn copied(&self, s: &EvalContext<'_>) -> Self {
        let mut copy = Self::with_room(self.slots.len());
        self.slots.iter().flatten().for_each(|one| copy.put(one.clone(), s));
        copy
    }

    fn add(&mut self, name: &Arc<str>, ty: &TypeRef, s: &EvalContext<'_>) {
        let found = stripped(ty, s).1;
        let outside = found.name.as_deref().map(as_gdb_spells);
        let defined = !is_declared(&found.kind);
        self.put(LocalName { ty: ty.clone(), hash: hash(&own_name(ty, s)), outside, defined, name: name.clone() }, s);
    }

    fn put(&mut self, new: LocalName, s: &EvalContext<'_>) {
        if self.slots.len() * 3 <= self.count * 4 {
            self.expand();
        }
        if let Place::Empty(at) = self.place(new.hash, |own| same(&own.ty, &new.ty, s, 0))
            && let Some(slot) = self.slots.get_mut(at)
        {
            *slot = Some(new);
            self.count += 1;
        }
    }

    fn expand(&mut self) {
        let size = if self.count * 2 > self.slots.len() { size_for(self.count * 2) } else { self.slots.len() };
        let old = std::mem::replace(&mut self.slots, vec![None; size]);
        for one in old.into_iter().flatten() {
            if let Place::Empty(at) = self.place(one.hash, |_| false)
                && let Some(slot) = self.slots.get_mut(at)
            {
                *slot = Some(one);
            }
        }
    }

    /// Probes from the hash's slot in steps that also depend on the hash, until an entry matches or a slot is empty.
    fn place(&self, hash: u32, wanted: impl Fn(&LocalName) -> bool) -> Place {
        let (size, hash) = (self.slots.len(), hash as usize);
        let (mut at, step) = (hash % size.max(1), 1 + hash % size.saturating_sub(2).max(1));
        for _ in 0..size {
            match self.slots.get(at) {
                Some(Some(own)) if wanted(own) => return Place::Found(at),
                Some(Some(_)) => at = (at + step) % size,
                _ => return Place::Empty(at),
            }
        }
        Place::Full
    }

    fn found(&self, place: &Place) -> Option<&Arc<str>> {
        let Place::Found(at) = place else { return None };
        self.slots.get(*at)?.as_ref().map(|own| &own.name)
    }

    /// Adds the typedefs of a class and of its base classes.
    pub(crate) fn with_typedefs(mut self, class: &ClassDetail, members: &[Member], s: &EvalContext<'_>) -> Self {
        class.typedefs.iter().for_each(|(name, ty, _)| self.add(name, ty, s));
        let of = |members: &[Member]| -> Vec<TypeRef> {
            members.iter().rev().filter(|member| member.base).map(|member| member.ty.clone()).collect()
        };
        // Depth first: the first base class and its bases before the second.
        let mut bases = of(members);
        for _ in 0..MOST_BASES {
            let Some(base) = bases.pop() else { break };
            let Kind::Aggregate { members, declaration: false, .. } = &stripped(&base, s).1.kind else { continue };
            if let Some(class) = s.symbols().class(&base) {
                class.typedefs.iter().for_each(|(name, ty, _)| self.add(name, ty, s));
            }
            bases.extend(of(members));
        }
        self
    }

    /// Returns the short name of a type.
    pub(crate) fn of(&self, ty: &TypeRef, s: &EvalContext<'_>) -> Option<&Arc<str>> {
        self.found(&self.place(hash(&own_name(ty, s)), |own| same(&own.ty, ty, s, 0)))
    }

    /// As [`LocalNames::of`], for a type that gdb finds by its name.
    pub(crate) fn of_named(&self, ty: &TypeRef, s: &EvalContext<'_>) -> Option<&Arc<str>> {
        self.of(ty, s).filter(|_| !is_declared(&type_of(ty, s).kind))
    }

    /// Returns the short name of a type given by its own name, not by a typedef's.
    pub(crate) fn named(&self, name: &str) -> Option<&Arc<str>> {
        let spelled = as_gdb_spells(name);
        // gdb sorts the words of C's types; other names stay as they are.
        let own = if name.contains("::") || name.contains('<') { name } else { &spelled };
        self.found(&self.place(hash(own), |own| own.defined && own.outside.as_deref() == Some(&spelled)))
    }
}

/// True for an incomplete class.
pub(crate) fn is_declared(kind: &Kind) -> bool {
    matches!(kind, Kind::Aggregate { declaration: true, .. })
}

/// Compares types as gdb does for short names: without qualifiers and typedefs.
fn same(left: &TypeRef, right: &TypeRef, s: &EvalContext<'_>, depth: u32) -> bool {
    let ((left, found), (right, other)) = (stripped(left, s), stripped(right, s));
    match (&found.kind, &other.kind) {
        _ if left == right => true,
        _ if depth > MAX_DEPTH => false,
        (Kind::Pointer(left), Kind::Pointer(right)) | (Kind::Reference(left, false), Kind::Reference(right, false)) => {
            same(left, right, s, depth + 1)
        }
        (Kind::Base(_), Kind::Base(_))
        | (Kind::Aggregate { .. }, Kind::Aggregate { .. })
        | (Kind::Enumeration { .. }, Kind::Enumeration { .. }) => found.name.is_some() && found.name == other.name,
        (
            Kind::Function { returns: one, parameters: first, .. },
            Kind::Function { returns: two, parameters: second, .. },
        ) => {
            let all = first.iter().zip(second).all(|(left, right)| same(left, right, s, depth + 1));
            first.len() == second.len() && all && same(one, two, s, depth + 1)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{PRIMES, hash, size_for};

    #[test]
    fn numbers_are_those_of_the_table_that_gdb_has() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("int"), 4_294_931_186);
        assert_eq!((size_for(10), size_for(13), size_for(20), size_for(62)), (13, 13, 31, 127));
        assert!(PRIMES.is_sorted());
    }
}
