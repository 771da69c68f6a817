//! Finds the ranks of a running job: by process IDs, by the launcher's MPIR table, among the launcher's descendants, by its PMIx server, or
//! by Slurm job. [`processes`], [`mod@find`], `pmix_server` and `slurm_host` read the system; the other files are pure functions.

pub(super) mod core_files;
pub mod descendants;
pub mod find;
pub mod job_table;
#[cfg(test)]
mod launcher_trees;
pub mod numbering;
pub mod pmix_jobs;
mod pmix_server;
pub mod processes;
pub mod rank_table;
pub mod slurm_host;
pub mod slurm_tasks;
pub(super) mod starter;

pub use find::find;
pub use rank_table::{RankTable, Share, Spot};
