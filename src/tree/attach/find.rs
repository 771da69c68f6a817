//! Finds the processes of a job from what the user names.

use super::core_files::core_files;
use super::job_table::{OwnHost, rank_table};
use super::numbering::{Numbering, number};
use super::pmix_jobs::job_table;
use super::processes::{Bystander, Processes};
use super::{RankTable, descendants, pmix_server, slurm_tasks};
use engine::process::mpir::MpirLauncher;
use engine::process::pmix::pmix_library;
use engine::process::procfs::described;
use protocol::AttachTarget;

/// Other launchers on this host that a message names.
const MOST_NAMED: usize = 4;

/// Returns the processes, or a message for the user. Reads many files: not for a thread that must not block.
pub fn find(target: &AttachTarget) -> Result<RankTable, String> {
    match target {
        AttachTarget::Processes(pids) => of_processes(pids),
        AttachTarget::Starter(pid) => of_starter(*pid),
        AttachTarget::SlurmJob(name) => slurm_tasks::tasks(name),
        AttachTarget::CoreFiles(paths) => core_files(paths),
    }
}

fn of_processes(pids: &[i32]) -> Result<RankTable, String> {
    if let Some(pid) = pids.iter().enumerate().find(|(at, pid)| pids.iter().take(*at).any(|other| other == *pid)) {
        return Err(format!("process {} is given twice", pid.1));
    }
    let mut places = Vec::new();
    for pid in pids {
        // A process that does not exist is reported when it is attached to.
        places.push((*pid, Bystander::read(*pid).and_then(|process| process.place)));
    }
    let Numbering { pids: by_rank, note } = number(&places);
    let mut notes: Vec<String> = note.into_iter().collect();
    if let [launcher] = pids
        && let Some(job) = descendants::below(&Processes::now(), *launcher)
    {
        notes.push(format!(
            "{} has started {} ranks here; to debug them: rankscope attach --starter {launcher}",
            described(*launcher),
            job.processes().len()
        ));
    }
    let places = by_rank.into_iter().map(|pid| Ok(pid.into())).collect();
    Ok(RankTable { places, notes, ..RankTable::default() })
}

fn of_starter(launcher: i32) -> Result<RankTable, String> {
    let processes = Processes::now();
    if !processes.0.contains_key(&launcher) {
        return Err(format!("no process {launcher}: \"pgrep -a mpirun\" or \"pgrep -a srun\" lists launchers"));
    }
    // A script that starts the launcher will do as well.
    let (launcher, note) = processes.below_shells(launcher);
    let table = MpirLauncher::open(launcher).and_then(|launcher| Ok((launcher.table()?, launcher.slurm_job())));
    let found = match table {
        Ok((entries, slurm)) if !entries.is_empty() => {
            Ok(RankTable { slurm, ..rank_table(&entries, &processes, &OwnHost::now()) })
        }
        // Many launchers fill their table only under a debugger, or have none: their ranks say who they are.
        without => {
            let here = by_environment(&processes, launcher, || match &without {
                Ok(_) => "its MPIR process table is empty".to_owned(),
                Err(error) => error.to_string(),
            });
            with_other_hosts(here, &processes, launcher)
        }
    };
    let mut found = found?;
    found.notes.splice(0..0, note.map(|note| note.replace(" is debugged", " is taken for the launcher")));
    Ok(found)
}

/// Returns the descendants of a launcher that say which ranks they are; `why` it has no table of them goes into the error.
fn by_environment(processes: &Processes, launcher: i32, why: impl Fn() -> String) -> Result<RankTable, String> {
    let words = described(launcher);
    let several: Vec<String> = descendants::rival_launchers(processes, launcher).into_iter().map(described).collect();
    if !several.is_empty() {
        let several = several.join(", ");
        return Err(format!("{words} has started several jobs: name the launcher of one ({several})"));
    }
    descendants::below(processes, launcher).ok_or_else(|| {
        let why = why();
        let other = descendants::starters(processes).into_iter().map(|(pid, ranks)| {
            let ranks = if ranks == 1 { "1 rank".to_owned() } else { format!("{ranks} ranks") };
            format!("; {} has started {ranks} here: --starter {pid}", described(pid))
        });
        let other: String = other.take(MOST_NAMED).collect();
        let is_flux = processes.0.get(&launcher).is_some_and(|process| process.program == "flux-job");
        // Flux fills the table of a process that asks for it.
        let flux = if is_flux { "; on all hosts: \"flux job attach --debug JOB >/dev/null &\", and --starter $!" } else { "" };
        format!(
            "{words} has no ranks on this host: {why}, and none of its descendants has a rank in its environment{other}{flux}"
        )
    })
}

/// Adds the ranks on other hosts, if some are missing here and the launcher has a PMIx server that knows them.
fn with_other_hosts(
    here: Result<RankTable, String>,
    processes: &Processes,
    launcher: i32,
) -> Result<RankTable, String> {
    if here.as_ref().is_ok_and(|table| table.absent().is_empty()) || pmix_library(launcher).is_none() {
        return here;
    }
    let words = described(launcher);
    match pmix_server::jobs(launcher).and_then(|jobs| job_table(&jobs, processes, &OwnHost::now())) {
        Ok(found) => Ok(found),
        Err(why) => {
            let why = format!("cannot ask the PMIx server of {words} for ranks on other hosts: {why}");
            match here {
                Ok(mut table) => {
                    table.notes.push(why);
                    Ok(table)
                }
                Err(error) => Err(format!("{error}; {why}")),
            }
        }
    }
}
