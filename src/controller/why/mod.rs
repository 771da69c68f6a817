//! `why`: for whom ranks wait in MPI, and who is to blame, from their stacks and the source text of their calls.

mod answer;
mod argument_parser;
mod arithmetic;
mod call_text;
mod constants;
mod knot;
mod library_calls;
mod mpi_calls;
mod needs;
mod operations;
mod posted;
mod sentences;
mod situation;
mod system_waits;
#[cfg(test)]
mod tests;
mod values;
mod verdict;

pub(crate) use answer::why;
pub(crate) use call_text::{Language, arguments_of_call};
pub(crate) use constants::with_constants;
pub(crate) use library_calls::{library_call, public_name};
pub(crate) use mpi_calls::{MpiCall, mpi_call, mpi_name};
pub(crate) use posted::posted;
pub(crate) use situation::{Doing, Situation};
pub use situation::{Place, Source};
pub(crate) use system_waits::{holding_thread, position, words};
pub(crate) use values::{CallValues, Implementation, RankValues};
pub use verdict::{Edge, Verdict, Why};
