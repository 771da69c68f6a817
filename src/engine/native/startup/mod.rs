//! From exec to the program's own code: the first stop, libraries, forks, processes that were there before.

pub(super) mod adopt;
pub(super) mod attaching;
pub(super) mod first_stop;
pub(super) mod following;
pub(super) mod libraries;
pub(super) mod locating;
pub(super) mod unfit;
