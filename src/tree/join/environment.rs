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

/// The variables in which a launcher tells a process its place.
struct Launcher {
    rank: &'static str,
    /// The names that may hold the size.
    sizes: &'static [&'static str],
    /// The number of the first process.
    first: u32,
    /// A variable and the value with which the process is the batch script, not one that was started for it.
    script: Option<(&'static str, &'static str)>,
}

const fn launcher(rank: &'static str, sizes: &'static [&'static str]) -> Launcher {
    Launcher { rank, sizes, first: 0, script: None }
}

/// The first launcher whose rank is set counts: that of an MPI is more exact than the batch system around it.
const LAUNCHERS: &[Launcher] = &[
    launcher("OMPI_COMM_WORLD_RANK", &["OMPI_COMM_WORLD_SIZE"]),
    launcher("MV2_COMM_WORLD_RANK", &["MV2_COMM_WORLD_SIZE"]),
    launcher("PMI_RANK", &["PMI_SIZE", "SLURM_NTASKS", "SLURM_NPROCS"]),
    launcher("PALS_RANKID", &["PALS_SIZE", "PMI_SIZE"]),
    launcher("FLUX_TASK_RANK", &["FLUX_JOB_SIZE"]),
    launcher("JSM_NAMESPACE_RANK", &["JSM_NAMESPACE_SIZE"]),
    launcher("ALPS_APP_PE", &["PMI_SIZE", "PALS_SIZE"]),
    launcher("SLURM_PROCID", &["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS"]),
    launcher("PMIX_RANK", &["PMIX_SIZE", "SLURM_NTASKS"]),
    // Set by wrappers that start copies on one host, without an MPI that says more.
    launcher("MPI_LOCALRANKID", &["MPI_LOCALNRANKS"]),
    // LSF's blaunch counts its tasks from 1.
    Launcher { first: 1, ..launcher("LSF_PM_TASKID", &["LSB_DJOB_NUMPROC"]) },
    // Torque's pbsdsh. The batch script, which is task 1, has these variables, too.
    Launcher { script: Some(("PBS_TASKNUM", "1")), ..launcher("PBS_VNODENUM", &["PBS_NP"]) },
    // Set by rankscope for its own copies, and by users for wrappers that set no rank.
    launcher("RANKSCOPE_RANK", &["RANKSCOPE_SIZE"]),
];

impl Launcher {
    /// Returns the text of the rank, counted from 0; `None` if the process was not started by this launcher. Text that is
    /// no number stays as it is.
    fn rank(&self, get: &impl Fn(&str) -> Option<String>) -> Option<String> {
        let text = get(self.rank)?;
        if self.script.is_some_and(|(name, value)| get(name).as_deref() == Some(value)) {
            return None;
        }
        match text.parse::<u32>().ok().and_then(|number| number.checked_sub(self.first)) {
            Some(rank) => Some(rank.to_string()),
            None => Some(text).filter(|text| text.parse::<u32>().is_err()),
        }
    }
}

/// Reads the place from an environment. Outside every launcher a process is rank 0 of 1.
pub fn place_in_job(get: impl Fn(&str) -> Option<String>) -> Result<Place, PlaceError> {
    Ok(claimed_place(get)?.unwrap_or(Place { rank: Rank(0), size: 1 }))
}

/// Variables that tell the jobs of one launcher apart.
const JOBS: [&str; 4] = ["PMIX_NAMESPACE", "PALS_APID", "FLUX_JOB_ID", "SLURM_STEP_ID"];

/// Returns the variables that name a rank in an environment, and with it the size of its job and the job itself, with
/// their values. Empty if none names a rank.
pub fn rank_variables(get: impl Fn(&str) -> Option<String>) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for launcher in LAUNCHERS {
        let Some(rank) = launcher.rank(&get) else { continue };
        found.push((launcher.rank, rank));
        found.extend(launcher.sizes.iter().filter_map(|name| Some((*name, get(name)?))));
    }
    if !found.is_empty() {
        found.extend(JOBS.iter().filter_map(|name| Some((*name, get(name)?))));
    }
    found
}

/// Reads only the rank from an environment, for a process whose job has ended; `None` outside every launcher.
pub fn claimed_rank(get: impl Fn(&str) -> Option<String>) -> Option<Rank> {
    LAUNCHERS.iter().find_map(|launcher| launcher.rank(&get)?.parse().ok().map(Rank))
}

/// Reads the place from an environment; `None` outside every launcher.
pub fn claimed_place(get: impl Fn(&str) -> Option<String>) -> Result<Option<Place>, PlaceError> {
    let mut without_size = None;
    for launcher in LAUNCHERS {
        let rank_name = launcher.rank;
        let Some(rank) = launcher.rank(&get) else { continue };
        let Some((size_name, size)) = launcher.sizes.iter().find_map(|name| Some((*name, get(name)?))) else {
            without_size.get_or_insert(rank_name);
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

    /// Environments written from the documentation and the sources of products that the tests cannot install.
    #[test]
    fn products_that_cannot_be_installed_are_understood() {
        for (environment, expected) in [
            // PALS's mpiexec under PBS: its own variables beside those of PMI and of the batch script.
            (
                "PBS_JOBID=31.pbs PBS_TASKNUM=1 PBS_NODEFILE=/var/spool/pbs/aux/31.pbs PALS_APID=7a PALS_RANKID=5 \
                 PALS_LOCAL_RANKID=1 PALS_NODEID=1 PMI_RANK=5 PMI_SIZE=8 PMI_LOCAL_RANK=1 PMI_LOCAL_SIZE=4",
                Some(of(5, 8)),
            ),
            // The same with --pmi=pmix.
            ("PALS_APID=7a PALS_RANKID=3 PALS_SIZE=4 PALS_LOCAL_SIZE=2 PMIX_RANK=3 PMIX_NAMESPACE=7a", Some(of(3, 4))),
            // Flux, alone, and with its plugin for PMI.
            ("FLUX_JOB_ID=f2 FLUX_JOB_NNODES=2 FLUX_JOB_SIZE=4 FLUX_TASK_RANK=2 FLUX_TASK_LOCAL_ID=0", Some(of(2, 4))),
            ("FLUX_JOB_SIZE=4 FLUX_TASK_RANK=1 PMI_FD=22 PMI_RANK=1 PMI_SIZE=4", Some(of(1, 4))),
            // A flux instance inside a Slurm step: Flux is the inner launcher.
            ("SLURM_PROCID=0 SLURM_NTASKS=2 FLUX_TASK_RANK=7 FLUX_JOB_SIZE=8", Some(of(7, 8))),
            // LSF: jsrun, and blaunch, which counts from 1; the script of a job has no task.
            ("LSB_JOBID=9 LSB_DJOB_NUMPROC=8 JSM_NAMESPACE_RANK=2 JSM_NAMESPACE_SIZE=6", Some(of(2, 6))),
            ("LSB_JOBID=9 LSB_DJOB_NUMPROC=4 LSF_PM_TASKID=1 LS_EXEC_T=START", Some(of(0, 4))),
            ("LSB_JOBID=9 LSB_DJOB_NUMPROC=4 LSF_PM_TASKID=4", Some(of(3, 4))),
            (
                "LSB_JOBID=9 LSB_DJOB_NUMPROC=4 LSF_PM_TASKID=2 OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=8",
                Some(of(5, 8)),
            ),
            ("LSB_JOBID=9 LSB_DJOB_NUMPROC=4 LSB_HOSTS=a", None),
            // Torque: a task of pbsdsh, and the batch script itself.
            ("PBS_JOBID=31.t PBS_NP=8 PBS_NUM_NODES=2 PBS_NODENUM=1 PBS_TASKNUM=6 PBS_VNODENUM=4", Some(of(4, 8))),
            ("PBS_JOBID=31.t PBS_NP=8 PBS_NUM_NODES=2 PBS_NODENUM=0 PBS_TASKNUM=1 PBS_VNODENUM=0", None),
            // PBS Professional says no number of tasks.
            // OpenPBS writes the numbers of tasks in hexadecimal digits; the batch script is task 1.
            ("PBS_JOBID=0.vm PBS_NODENUM=1 PBS_TASKNUM=20000002 NCPUS=4", None),
            ("PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=00000006 NCPUS=4", None),
            ("PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=1 NCPUS=4", None),
        ] {
            let variables: Vec<_> = environment.split_whitespace().map(|word| word.split_once('=').unwrap()).collect();
            let get = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(claimed_place(get).transpose(), expected, "{environment}");
            assert_eq!(claimed_rank(get), expected.map(|place| place.unwrap().rank), "{environment}");
        }
        assert!(place(&[("LSF_PM_TASKID", "5"), ("LSB_DJOB_NUMPROC", "4")]).is_err());
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
