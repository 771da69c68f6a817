//! `why`: for whom ranks wait in MPI, and who is to blame, from their stacks and the source text of their calls.

mod answer;
mod arithmetic;
mod call_text;
mod knot;
mod library_calls;
mod mpi_calls;
mod needs;
mod operations;
mod sentences;
mod situation;
#[cfg(test)]
mod tests;
mod values;
mod verdict;

pub(crate) use answer::why;
pub(crate) use call_text::{Language, arguments_of_call};
pub(crate) use library_calls::library_call;
pub(crate) use mpi_calls::{mpi_call, mpi_name};
pub use situation::Place;
pub(crate) use situation::{Doing, Situation};
pub(crate) use values::{CallValues, Implementation};
pub use verdict::{Edge, Verdict, Why};
