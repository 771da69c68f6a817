//! Which processes of a job that runs already are its ranks: by their numbers, by the table of their launcher, by what
//! the launcher started, by a Slurm job. Reading is in [`processes`], [`mod@find`] and `slurm`; what follows from it in
//! plain functions.

pub mod census;
pub mod descendants;
pub mod find;
pub mod job_table;
pub mod numbering;
pub mod processes;
pub mod roster;
pub mod slurm;

pub use find::find;
pub use roster::{Roster, Share, Spot};
