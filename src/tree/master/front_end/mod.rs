//! Front ends: the one that has the session, those that come later, and what is asked.

pub(super) mod backlog;
pub(super) mod base_client;
pub(super) mod front;
pub(super) mod fronts;
pub(super) mod replay;
pub(super) mod requests;
