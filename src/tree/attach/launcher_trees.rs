//! Process trees of launchers. Those of Open MPI, Hydra and Slurm are as `pstree` shows them; those of Flux, PALS, LSF and
//! Torque are written from their documentation, since they cannot be installed here.

use super::descendants::{below, rival_launchers, starters};
use super::processes::{Bystander, Processes};
use super::rank_table::RankTable;
use super::slurm_host;
use std::collections::{BTreeMap, BTreeSet};

/// Reads a tree: on each line a process ID, its parent's, its program, and its environment. `#` begins a comment.
fn tree(text: &str) -> Processes {
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let pid = words.next()?.parse().unwrap();
        let parent = words.next().unwrap().parse().unwrap();
        let program = words.next().unwrap();
        let environment: BTreeMap<&str, &str> = words.map(|word| word.split_once('=').unwrap()).collect();
        let get = |name: &str| environment.get(name).map(|value| (*value).to_owned());
        Some((pid, Bystander::of(parent, program.to_owned(), program.to_owned(), get)))
    };
    Processes(lines.filter_map(row).collect())
}

/// The process of each rank; 0 where there is none.
fn pids(found: Option<RankTable>) -> Vec<i32> {
    let places = found.map_or_else(Vec::new, |found| found.places);
    places.into_iter().map(|place| place.map_or(0, |spot| spot.pid)).collect()
}

#[test]
fn open_mpi_5_has_its_ranks_below_prterun_and_on_other_hosts_below_prted() {
    // mpirun has become prterun; the other half of the job is below ssh's prted on another host.
    let first = tree(
        "10 1  bash
         11 10 prterun
         12 11 ssh
         13 11 app PMIX_RANK=0 PMIX_NAMESPACE=prterun-a-11@1 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4
         14 11 app PMIX_RANK=1 PMIX_NAMESPACE=prterun-a-11@1 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4
         15 13 helper PMIX_RANK=0 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4",
    );
    assert_eq!(pids(below(&first, 11)), [13, 14, 0, 0]);
    let second = tree(
        "20 1  prted   # it has left the session of ssh
         23 20 app PMIX_RANK=2 OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4
         24 20 app PMIX_RANK=3 OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4",
    );
    assert_eq!(pids(below(&second, 20)), [0, 0, 23, 24]);
    assert_eq!(starters(&second), BTreeMap::from([(20, 2)]));
}

#[test]
fn hydra_has_its_ranks_below_a_proxy_for_each_host() {
    let processes = tree(
        "10 1  mpiexec.hydra
         11 10 hydra_pmi_proxy
         12 10 ssh
         13 11 app PMI_RANK=0 PMI_SIZE=3 PMI_FD=6 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2
         14 11 sh PMI_RANK=1 PMI_SIZE=3 PMI_FD=9 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2
         15 14 app PMI_RANK=1 PMI_SIZE=3 PMI_FD=9 MPI_LOCALRANKID=1 MPI_LOCALNRANKS=2",
    );
    assert_eq!(pids(below(&processes, 10)), [13, 15, 0]);
    assert_eq!(pids(below(&processes, 11)), [13, 15, 0]);
    assert_eq!(starters(&processes), BTreeMap::from([(11, 2)]));
}

#[test]
fn slurm_has_its_tasks_below_slurmstepd_and_not_below_srun() {
    let processes = tree(
        "10 1  slurmd
         20 1  slurmstepd   # the batch step, in which srun runs
         21 20 sh SLURM_JOB_ID=7 SLURM_STEP_ID=4294967291 SLURM_PROCID=0 SLURM_NTASKS=1
         22 21 srun SLURM_JOB_ID=7 SLURM_STEP_ID=4294967291 SLURM_PROCID=0 SLURM_NTASKS=1
         23 22 srun SLURM_JOB_ID=7 SLURM_STEP_ID=4294967291 SLURM_PROCID=0 SLURM_NTASKS=1
         30 1  slurmstepd
         31 30 app SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_NTASKS=2 PMI_RANK=0 PMI_SIZE=2
         32 30 app SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2 PMI_RANK=1 PMI_SIZE=2",
    );
    assert_eq!(pids(below(&processes, 22)), Vec::<i32>::new());
    assert_eq!(pids(below(&processes, 30)), [31, 32]);
    assert_eq!(pids(slurm_host::tasks(&processes, "7.0").ok()), [31, 32]);
    assert!(slurm_host::tasks(&processes, "7").unwrap_err().contains("several steps"));
}

#[test]
fn flux_has_its_tasks_below_flux_shell_and_not_below_flux_run() {
    let processes = tree(
        "10 1  flux-broker
         11 10 bash FLUX_URI=local:///run/flux/local
         12 11 flux FLUX_URI=local:///run/flux/local   # flux run
         13 10 flux-imp
         14 13 flux-shell
         15 14 app FLUX_JOB_ID=f2 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 FLUX_TASK_LOCAL_ID=0 PMI_RANK=0 PMI_SIZE=2
         16 14 app FLUX_JOB_ID=f2 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=1 FLUX_TASK_LOCAL_ID=1 PMI_RANK=1 PMI_SIZE=2",
    );
    assert_eq!(below(&processes, 12), None);
    assert_eq!(starters(&processes), BTreeMap::from([(14, 2)]));
    assert_eq!(pids(below(&processes, 14)), [15, 16]);
    assert_eq!(pids(below(&processes, 10)), [15, 16]);
}

#[test]
fn a_flux_instance_below_a_task_of_slurm_has_ranks_of_its_own() {
    let processes = tree(
        "10 1  slurmstepd
         11 10 flux-broker SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_JOB_ID=7 SLURM_STEP_ID=0
         14 11 flux-shell SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_JOB_ID=7 SLURM_STEP_ID=0
         15 14 app SLURM_PROCID=0 SLURM_NTASKS=1 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0
         16 14 app SLURM_PROCID=0 SLURM_NTASKS=1 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=1",
    );
    assert_eq!(pids(below(&processes, 11)), [15, 16]);
    assert_eq!(pids(below(&processes, 14)), [15, 16]);
}

#[test]
fn pals_has_its_ranks_below_a_daemon_and_not_below_mpiexec() {
    let processes = tree(
        "10 1  pbs_mom
         11 10 bash PBS_JOBID=31.pbs PBS_TASKNUM=1
         12 11 mpiexec PBS_JOBID=31.pbs PBS_TASKNUM=1
         20 1  palsd
         21 20 app PALS_APID=7a PALS_RANKID=0 PALS_SIZE=2 PMI_RANK=0 PMI_SIZE=2
         22 20 app PALS_APID=7a PALS_RANKID=1 PALS_SIZE=2 PMI_RANK=1 PMI_SIZE=2",
    );
    assert_eq!(below(&processes, 12), None);
    assert_eq!(starters(&processes), BTreeMap::from([(20, 2)]));
    assert_eq!(pids(below(&processes, 20)), [21, 22]);
}

#[test]
fn lsf_has_its_tasks_below_res_and_not_below_blaunch() {
    let processes = tree(
        "10 1  sbatchd
         11 10 sbatchd   # one for each job
         12 11 res
         13 12 sh LSB_JOBID=9 LSB_DJOB_NUMPROC=2
         14 13 blaunch LSB_JOBID=9 LSB_DJOB_NUMPROC=2
         20 1  res
         21 20 res
         22 21 app LSB_JOBID=9 LSB_DJOB_NUMPROC=2 LSF_PM_TASKID=1
         23 20 res
         24 23 app LSB_JOBID=9 LSB_DJOB_NUMPROC=2 LSF_PM_TASKID=2",
    );
    assert_eq!(below(&processes, 14), None);
    assert_eq!(pids(below(&processes, 20)), [22, 24]);
    assert_eq!(rival_launchers(&processes, 20), BTreeSet::new());
    assert_eq!(starters(&processes), BTreeMap::from([(21, 1), (23, 1)]));
}

#[test]
fn torque_has_its_tasks_below_pbs_mom_and_the_batch_script_is_none() {
    let processes = tree(
        "10 1  pbs_mom
         11 10 sh PBS_JOBID=31.t PBS_NP=2 PBS_TASKNUM=1 PBS_VNODENUM=0
         12 11 pbsdsh PBS_JOBID=31.t PBS_NP=2 PBS_TASKNUM=1 PBS_VNODENUM=0
         13 10 app PBS_JOBID=31.t PBS_NP=2 PBS_TASKNUM=2 PBS_VNODENUM=0
         14 10 app PBS_JOBID=31.t PBS_NP=2 PBS_TASKNUM=3 PBS_VNODENUM=1",
    );
    assert_eq!(below(&processes, 12), None);
    assert_eq!(pids(below(&processes, 10)), [13, 14]);
    assert_eq!(starters(&processes), BTreeMap::from([(10, 2)]));
}

#[test]
fn the_ranks_of_two_users_jobs_below_one_daemon_are_told_apart_by_their_duplicates() {
    let processes = tree(
        "10 1  palsd
         21 10 app PALS_APID=7a PALS_RANKID=0 PALS_SIZE=1
         31 10 app PALS_APID=7b PALS_RANKID=0 PALS_SIZE=1",
    );
    let found = below(&processes, 10).unwrap();
    assert!(found.places[0].as_ref().unwrap_err().contains("21, 31"), "{:?}", found.places);
}
