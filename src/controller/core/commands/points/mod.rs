//! Commands about several breakpoints at once.

pub(in crate::core) mod clearing;
pub(in crate::core) mod each_function;
