//! The rank of a process and the size of its job, read from the variables that launchers set.

use model::Rank;

/// A rank and the size of its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from 0.
    pub rank: Rank,
    /// Number of ranks of the job.
    pub size: u32,
}

/// A reason why the rank of a process is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The value of a variable is not a number, or the rank is not below the size.
    #[error("{variable}={value:?} in the environment is not a rank or a job size")]
    Malformed {
        /// The variable's name.
        variable: &'static str,
        /// Its value in the environment.
        value: String,
    },
    /// This variable gives the rank, and none gives the size.
    #[error("{0} is in the environment, but no variable gives the number of ranks")]
    NoSize(&'static str),
}

/// Variables of launchers: rank, then the names that may hold the size. The first whose rank is set counts: an MPI
/// launcher is more exact than the batch system around it.
const VARIABLES: &[(&str, &[&str])] = &[
    ("OMPI_COMM_WORLD_RANK", &["OMPI_COMM_WORLD_SIZE"]),
    ("MV2_COMM_WORLD_RANK", &["MV2_COMM_WORLD_SIZE"]),
    ("PMI_RANK", &["PMI_SIZE", "SLURM_NTASKS", "SLURM_NPROCS"]),
    ("PALS_RANKID", &["PALS_SIZE", "PMI_SIZE"]),
    ("FLUX_TASK_RANK", &["FLUX_JOB_SIZE"]),
    ("JSM_NAMESPACE_RANK", &["JSM_NAMESPACE_SIZE"]),
    ("ALPS_APP_PE", &["PMI_SIZE", "PALS_SIZE"]),
    ("SLURM_PROCID", &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"]),
    ("PMIX_RANK", &["PMIX_SIZE", "SLURM_NTASKS"]),
    // Set by wrappers that start copies on one host, without an MPI that says more.
    ("MPI_LOCALRANKID", &["MPI_LOCALNRANKS"]),
    // Set by rankscope for its own copies, and by users for wrappers that set no rank.
    ("RANKSCOPE_RANK", &["RANKSCOPE_SIZE"]),
];

/// Reads the place from an environment. Outside every launcher a process is rank 0 of 1.
pub fn place_in_job(get: impl Fn(&str) -> Option<String>) -> Result<Place, PlaceError> {
    Ok(claimed_place(get)?.unwrap_or(Place { rank: Rank(0), size: 1 }))
}

/// Returns the variables that name a rank in an environment, with their values.
pub fn rank_variables(get: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, String)> {
    VARIABLES.iter().filter_map(|(name, _)| Some((*name, get(name)?))).collect()
}

/// Reads only the rank from an environment, for a process whose job has ended; `None` outside every launcher.
pub fn claimed_rank(get: impl Fn(&str) -> Option<String>) -> Option<Rank> {
    VARIABLES.iter().find_map(|(name, _)| get(name)?.parse().ok().map(Rank))
}

/// Reads the place from an environment; `None` outside every launcher.
pub fn claimed_place(get: impl Fn(&str) -> Option<String>) -> Result<Option<Place>, PlaceError> {
    let mut without_size = None;
    for (rank_name, size_names) in VARIABLES {
        let Some(rank) = get(rank_name) else { continue };
        let Some((size_name, size)) = size_names.iter().find_map(|name| Some((*name, get(name)?))) else {
            without_size.get_or_insert(*rank_name);
            continue;
        };
        let number = |variable: &'static str, value: &str| {
            value.parse::<u32>().map_err(|_| PlaceError::Malformed { variable, value: value.to_owned() })
        };
        let (rank, size) = (number(rank_name, &rank)?, number(size_name, &size)?);
        if rank >= size {
            return Err(PlaceError::Malformed { variable: rank_name, value: format!("{rank}, of {size}") });
        }
        return Ok(Some(Place { rank: Rank(rank), size }));
    }
    match without_size {
        Some(name) => Err(PlaceError::NoSize(name)),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(variables: &[(&str, &str)]) -> Result<Place, PlaceError> {
        place_in_job(|name| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
    }

    fn of(rank: u32, size: u32) -> Result<Place, PlaceError> {
        Ok(Place { rank: Rank(rank), size })
    }

    #[test]
    fn launchers_are_understood() {
        for (environment, rank, size) in [
            // Open MPI, MVAPICH, Hydra and others with PMI, PALS, Flux, JSM, ALPS, Slurm, PMIx, copies on one host.
            ("OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=3", 3, 4),
            ("MV2_COMM_WORLD_RANK=1 MV2_COMM_WORLD_SIZE=2", 1, 2),
            ("PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1", 1, 2),
            ("PMI_RANK=5 SLURM_PROCID=5 SLURM_NTASKS=8", 5, 8),
            ("PALS_RANKID=2 PALS_SIZE=4", 2, 4),
            ("PALS_RANKID=2 PMI_SIZE=4 PMI_RANK=2", 2, 4),
            ("FLUX_TASK_RANK=0 FLUX_JOB_SIZE=2", 0, 2),
            ("JSM_NAMESPACE_RANK=6 JSM_NAMESPACE_SIZE=7", 6, 7),
            ("ALPS_APP_PE=1 PMI_SIZE=2", 1, 2),
            ("SLURM_PROCID=7 SLURM_NTASKS=8", 7, 8),
            ("SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_NTASKS=8", 1, 2),
            ("PMIX_RANK=0 SLURM_PROCID=5 SLURM_NTASKS=8", 5, 8),
            ("PMIX_RANK=1 PMIX_SIZE=3", 1, 3),
            ("MPI_LOCALRANKID=1 MPI_LOCALNRANKS=4", 1, 4),
            ("", 0, 1),
        ] {
            let variables: Vec<_> = environment.split_whitespace().map(|word| word.split_once('=').unwrap()).collect();
            assert_eq!(place(&variables), of(rank, size), "{environment}");
        }
    }

    #[test]
    fn an_inner_launcher_counts_more_than_the_batch_step_around_it() {
        let both = [("SLURM_PROCID", "0"), ("SLURM_NTASKS", "1"), ("PMI_RANK", "2"), ("PMI_SIZE", "4")];
        assert_eq!(place(&both), of(2, 4));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(place(&[("PMI_RANK", "x"), ("PMI_SIZE", "2")]).is_err());
        assert!(place(&[("PMI_RANK", "2"), ("PMI_SIZE", "2")]).is_err());
        assert_eq!(place(&[("PMIX_RANK", "2")]), Err(PlaceError::NoSize("PMIX_RANK")));
    }
}
