//! Unattended runs (`rankscope triage`), and reports of jobs as files: one page that works offline, and its data

mod acts;
mod facts;
mod occasion;
mod options;
mod output;
mod page;
mod run;
mod signals;
mod silence;
mod time_limit;
mod watch;
mod write;

pub use options::{Plan, Wishes};
pub use run::triage;
pub use watch::NOT_WRITTEN;
pub use write::write_report;
