//! Front ends of a master: the current one, later ones, and their requests.

pub(super) mod backlog;
pub(super) mod base_client;
pub(super) mod front;
pub(super) mod fronts;
pub(super) mod idle;
pub(super) mod replay;
pub(super) mod requests;
