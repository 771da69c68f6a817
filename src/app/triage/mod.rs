//! Reports of jobs as files: one page that works offline, and its data

mod facts;
mod page;
mod write;

pub use write::write_report;
