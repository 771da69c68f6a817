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
    /// What was noted before.
    pub(in crate::native) notes: Arc<Pages>,
}

/// A function that is running for an expression.
#[derive(Debug)]
pub(in crate::native) struct RunningCall {
    pub(in crate::native) asked: Asked,
    pub(in crate::native) request: CallRequest,
    pub(in crate::native) frame: CalledFrame,
    pub(in crate::native) deadline: Option<Instant>,
    /// It is to be undone when its thread has stopped; why.
    pub(in crate::native) given_up: Option<String>,
    /// Afterwards the process is let go.
    pub(in crate::native) then_detach: bool,
}
