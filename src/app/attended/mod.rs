//! A session with a user, whether a front end draws a screen or says lines, and how it is left.

mod leave;
mod session;

pub use leave::Leave;
pub(crate) use session::AttendedSession;
