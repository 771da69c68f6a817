//! A function that is running for an expression.

use super::called_frame::CalledFrame;
use crate::native::ptrace::Tid;
use expr::Journal;
use expr::call_request::CallRequest;
use expr::value_history::Pages;
use model::{Operation, TransactionId};
use std::sync::Arc;
use std::time::Instant;

/// An expression that is being evaluated.
#[derive(Debug)]
pub(in crate::native) struct Asked {
    pub(in crate::native) tid: TransactionId,
    pub(in crate::native) operation: Operation,
    pub(in crate::native) thread: Tid,
    pub(in crate::native) journal: Journal,
    /// The value history before the expression.
    pub(in crate::native) notes: Arc<Pages>,
}

/// A function that is running for an expression.
#[derive(Debug)]
pub(in crate::native) struct RunningCall {
    pub(in crate::native) asked: Asked,
    pub(in crate::native) request: CallRequest,
    pub(in crate::native) frame: CalledFrame,
    pub(in crate::native) deadline: Option<Instant>,
    /// Set if the call is to be cancelled when its thread has stopped; holds the reason.
    pub(in crate::native) given_up: Option<String>,
    /// True if the process is to be detached afterwards.
    pub(in crate::native) then_detach: bool,
}
