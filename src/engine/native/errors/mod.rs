//! Errors that run-time libraries report: the rank stops at the function that reports or ends the program.

pub(super) mod arrivals;
pub(super) mod error_call;
mod placing;
