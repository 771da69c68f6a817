//! `why`: for whom ranks wait in MPI, and who is to blame, from their stacks and the source text of their calls.

mod answer;
mod argument_parser;
mod arithmetic;
mod call_text;
mod constants;
mod function_text;
mod implementation;
mod knot;
mod library_calls;
mod mpi_calls;
mod needs;
mod operations;
mod origins;
mod posted;
mod queue_groups;
mod sentences;
mod situation;
mod system_waits;
mod team_waits;
#[cfg(test)]
mod tests;
mod tokens;
mod values;
mod verdict;
mod whom;

pub(crate) use answer::{Looks, why};
pub(crate) use call_text::{Language, arguments_of_call};
pub(crate) use constants::{only_value, with_constants};
pub(crate) use implementation::Implementation;
pub(crate) use library_calls::{library_call, public_name};
pub(crate) use mpi_calls::{MpiCall, mpi_call, mpi_name};
pub(crate) use origins::{Caller, MOST_CALLERS, Origins, Sources, Texts};
pub(crate) use posted::posted;
pub(crate) use queue_groups::with_queues;
pub(crate) use situation::{Doing, Situation};
pub use situation::{Place, Source, Text};
pub(crate) use system_waits::{holding_thread, position, words};
pub(crate) use team_waits::{team_place, team_words};
pub(crate) use values::{CallValues, RankValues};
pub use verdict::{Edge, Since, Verdict, Why};
