//! Inspects several threads of a rank at once.

pub(super) mod all_threads;
pub(in crate::native) mod many_threads;
pub(crate) mod openmp;
