//! Threads of OpenMP: their numbers, and for whom they wait in its run-time libraries.

mod calls;
mod machine;
mod member;
mod numbers;
mod passed;
mod waits;

pub(crate) use member::Member;
pub(crate) use numbers::{has_runtime, name_in_team, number_in_team};
pub(crate) use waits::team_wait;
