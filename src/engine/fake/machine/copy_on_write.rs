//! Values that ranks share until one of them changes it.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that other ranks may share until one of them changes it.
#[derive(Clone, Debug, Default)]
pub(in crate::fake) struct Shared<T>(Arc<T>);

impl<T> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Self(value)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Shared<T> {
    /// Where the value is in memory: as long as neither is changed, two values of one place are equal.
    pub(in crate::fake) fn place(&self) -> *const T {
        Arc::as_ptr(&self.0)
    }

    fn tighten(&mut self, tighten: impl Fn(&mut T)) {
        if let Some(own) = Arc::get_mut(&mut self.0) {
            tighten(own);
        }
    }
}

/// The values of ranks that have just stopped.
#[derive(Debug)]
pub(super) struct Known<T> {
    values: HashSet<Arc<T>>,
    shared: usize,
}

/// The number of values from which on it counts whether any are equal.
pub(super) const FEW: usize = 64;

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { values: HashSet::new(), shared: 0 }
    }
}

impl<T: Eq + Hash> Known<T> {
    /// Lets the value be the one that an earlier rank has, if they are equal. Where most ranks differ, as they do in
    /// what contains their numbers, no more are compared.
    pub(super) fn share(&mut self, value: &mut Shared<T>, tighten: impl Fn(&mut T)) {
        if self.values.len() > FEW + self.shared {
            value.tighten(tighten);
            return;
        }
        if let Some(known) = self.values.get(&*value.0) {
            value.0 = Arc::clone(known);
            self.shared += 1;
            return;
        }
        value.tighten(tighten);
        self.values.insert(Arc::clone(&value.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_shared_until_one_is_changed() {
        let mut known = Known::default();
        let [mut one, mut other, mut third] = [vec![1, 2], vec![1, 2], vec![3]].map(Shared::from);
        for value in [&mut one, &mut other, &mut third] {
            known.share(value, Vec::shrink_to_fit);
        }
        assert_eq!(one.place(), other.place());
        assert_ne!(one.place(), third.place());
        other[0] = 9;
        assert_eq!((&*one, &*other), (&vec![1, 2], &vec![9, 2]));
    }

    #[test]
    fn values_that_all_differ_are_not_kept() {
        let mut known = Known::default();
        for number in 0..10_000 {
            known.share(&mut Shared::from(number), |_| {});
        }
        assert!(known.values.len() <= FEW + 1, "{}", known.values.len());
    }
}
