//! Which processes of a job that runs already are its ranks: by their numbers, by the table of their launcher, by what
//! the launcher started, by a Slurm job. Reading is in [`processes`], [`mod@find`] and `slurm_host`; what follows from it in
//! plain functions.

pub mod descendants;
pub mod find;
pub mod job_table;
pub mod numbering;
pub mod processes;
pub mod rank_table;
pub mod slurm_host;
pub mod slurm_tasks;
pub(super) mod starter;

pub use find::find;
pub use rank_table::{RankTable, Share, Spot};
