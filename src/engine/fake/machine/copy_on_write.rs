//! Values that ranks share until one of them changes it.

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

    /// True if another rank has the value, too.
    pub(super) fn is_in_common(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shared_until_one_is_changed() {
        let one = Shared::from(vec![1, 2]);
        let mut other = one.clone();
        assert!(one.is_in_common() && one.place() == other.place());
        other[0] = 9;
        assert_eq!((&*one, &*other), (&vec![1, 2], &vec![9, 2]));
        assert!(!one.is_in_common() && !other.is_in_common());
    }
}
