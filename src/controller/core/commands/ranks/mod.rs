//! The commands about the ranks on the screen: their arrangement and colours.

pub(in crate::core) mod cartesian_call;
pub(in crate::core) mod colours;
pub(super) mod layout;
