//! Process trees of launchers. Those of Open MPI, Hydra and Slurm are as `pstree` shows them. Those of Flux (flux-core 0.88)
//! and OpenPBS (23.06) were recorded on one host, with the environments of their processes; those of PALS, LSF and Torque are
//! written from their documentation, since these cannot be had.

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
fn flux_has_its_tasks_below_a_shell_on_each_host_and_not_below_flux_run() {
    // The shells of all hosts have the environment of the first broker.
    let processes = tree(
        "70 1  flux-start
         71 70 flux-broker PMI_FD=12 PMI_RANK=0 PMI_SIZE=2
         67 71 python3.11 PMI_FD=12 PMI_RANK=0 PMI_SIZE=2   # sched-simple
         72 71 bash FLUX_URI=local:///tmp/flux-nMGpvG/local-0
         73 72 flux-job FLUX_URI=local:///tmp/flux-nMGpvG/local-0   # flux run has become `flux-job attach`
         78 71 flux-shell FLUX_KVS_NAMESPACE=job-1 PMI_FD=12 PMI_RANK=0 PMI_SIZE=2
         81 78 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=4 FLUX_TASK_RANK=0 FLUX_TASK_LOCAL_ID=0 PMI_FD=21 PMI_RANK=0 PMI_SIZE=4
         83 78 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=4 FLUX_TASK_RANK=1 FLUX_TASK_LOCAL_ID=1 PMI_FD=22 PMI_RANK=1 PMI_SIZE=4
         74 70 flux-broker PMI_FD=15 PMI_RANK=1 PMI_SIZE=2
         79 74 flux-shell FLUX_KVS_NAMESPACE=job-1 PMI_FD=12 PMI_RANK=0 PMI_SIZE=2
         80 79 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=4 FLUX_TASK_RANK=2 FLUX_TASK_LOCAL_ID=0 PMI_FD=21 PMI_RANK=2 PMI_SIZE=4
         82 79 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=4 FLUX_TASK_RANK=3 FLUX_TASK_LOCAL_ID=1 PMI_FD=22 PMI_RANK=3 PMI_SIZE=4",
    );
    assert_eq!(below(&processes, 73), None);
    assert_eq!(starters(&processes), BTreeMap::from([(78, 2), (79, 2)]));
    assert_eq!((pids(below(&processes, 78)), pids(below(&processes, 71))), (vec![81, 83, 0, 0], vec![81, 83, 0, 0]));
    assert_eq!((pids(below(&processes, 79)), pids(below(&processes, 74))), (vec![0, 0, 80, 82], vec![0, 0, 80, 82]));
    assert_eq!(pids(below(&processes, 70)), [81, 83, 80, 82]);
}

#[test]
fn a_job_in_an_instance_that_is_itself_a_job_of_flux_has_all_its_ranks() {
    // flux batch -N2, and in it flux run -n 4: its shell has the variables of the first task of the outer job.
    let processes = tree(
        "10 1  flux-broker
         17 10 flux-shell
         21 17 flux-broker FLUX_JOB_ID=fN FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 PMI_FD=19 PMI_RANK=0 PMI_SIZE=2
         26 21 flux-shell FLUX_JOB_ID=fN FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 PMI_FD=19 PMI_RANK=0 PMI_SIZE=2
         27 26 app FLUX_JOB_ID=fU FLUX_JOB_ID_PATH=/fN/fU FLUX_JOB_SIZE=4 FLUX_TASK_RANK=0 PMI_RANK=0 PMI_SIZE=4
         28 26 app FLUX_JOB_ID=fU FLUX_JOB_ID_PATH=/fN/fU FLUX_JOB_SIZE=4 FLUX_TASK_RANK=1 PMI_RANK=1 PMI_SIZE=4",
    );
    for launcher in [26, 21, 17, 10] {
        assert_eq!(pids(below(&processes, launcher)), [27, 28, 0, 0], "--starter {launcher}");
    }
    assert_eq!(starters(&processes), BTreeMap::from([(26, 2)]));
}

#[test]
fn a_job_of_as_many_tasks_as_its_instance_has_brokers_has_its_first_rank() {
    let processes = tree(
        "78 1  flux-shell PMI_FD=12 PMI_RANK=0 PMI_SIZE=2
         81 78 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=0 PMI_FD=21 PMI_RANK=0 PMI_SIZE=2
         83 78 app FLUX_JOB_ID=f1 FLUX_JOB_SIZE=2 FLUX_TASK_RANK=1 PMI_FD=22 PMI_RANK=1 PMI_SIZE=2",
    );
    assert_eq!(pids(below(&processes, 78)), [81, 83]);
}

#[test]
fn openpbs_has_its_tasks_below_pbs_mom_and_numbers_none_of_them() {
    let recorded = "52 1  pbs_mom
         71 52 bash PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=1 NCPUS=4
         93 71 pbsdsh PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=1 NCPUS=4
         95 52 app PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=00000002 NCPUS=4
         96 52 app PBS_JOBID=0.vm PBS_NODENUM=0 PBS_TASKNUM=00000003 NCPUS=4";
    let processes = tree(recorded);
    assert_eq!((below(&processes, 52), below(&processes, 93)), (None, None));
    assert_eq!(starters(&processes), BTreeMap::new());
    // Behind pbsdsh, env(1) can number them.
    let numbered = (0..2).fold(recorded.to_owned(), |text, rank| {
        let task = format!("PBS_TASKNUM=0000000{}", rank + 2);
        text.replace(&task, &format!("{task} RANKSCOPE_RANK={rank} RANKSCOPE_SIZE=2"))
    });
    assert_eq!(pids(below(&tree(&numbered), 52)), [95, 96]);
}

#[test]
fn openpbs_has_the_ranks_of_mpirun_below_mpirun() {
    let processes = tree(
        "52 1  pbs_mom
         74 52 bash PBS_JOBID=2.vm PBS_NODENUM=0 PBS_TASKNUM=1
         66 74 orterun PBS_JOBID=2.vm PBS_NODENUM=0 PBS_TASKNUM=1
         71 66 app PBS_JOBID=2.vm PBS_TASKNUM=1 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 PMIX_RANK=0
         72 66 app PBS_JOBID=2.vm PBS_TASKNUM=1 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 PMIX_RANK=1",
    );
    for launcher in [66, 74, 52] {
        assert_eq!(pids(below(&processes, launcher)), [71, 72], "--starter {launcher}");
    }
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
