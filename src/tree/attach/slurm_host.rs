//! The tasks of a Slurm job on this host, as their environments say.

use super::descendants::by_place;
use super::processes::Processes;
use super::rank_table::RankTable;
use std::collections::BTreeSet;

/// Programs of rankscope itself.
const OURS: &[&str] = &["rankscope", "rankscope-sdm"];

/// Returns the tasks of a job, or of one step of it (`12` or `12.0`), or a message for the user.
pub fn tasks(processes: &Processes, name: &str) -> Result<RankTable, String> {
    let (job, step) = name.split_once('.').map_or((name, None), |(job, step)| (job, Some(step)));
    // Debugger servers are tasks of steps of their own.
    let others = processes.0.values().filter(|process| !OURS.contains(&process.program.as_str()));
    let of_job = others.filter_map(|process| process.step.as_ref()).filter(|(id, _)| id == job);
    let steps: BTreeSet<&str> = of_job.map(|(_, step)| step.as_str()).collect();
    let step = match (step, steps.iter().copied().collect::<Vec<_>>().as_slice()) {
        (_, []) => {
            return Err(format!(
                "no process on this host is a task of Slurm job {job}: it has not started any, it has ended, or its \
                    tasks run on other hosts (squeue --steps lists them)"
            ));
        }
        (Some(step), all) if all.contains(&step) => step,
        (None, [one]) => one,
        (Some(step), all) => {
            return Err(format!("Slurm job {job} has no step {step} on this host; its steps here: {}", all.join(", ")));
        }
        (None, all) => {
            return Err(format!(
                "Slurm job {job} has several steps on this host ({}); pick one: --job {job}.{}",
                all.join(", "),
                all.first().unwrap_or(&"0")
            ));
        }
    };
    let wanted = (job.to_owned(), step.to_owned());
    by_place(processes, |_, process| process.step.as_ref() == Some(&wanted))
        .ok_or_else(|| format!("the processes of step {step} of Slurm job {job} have no ranks in their environments"))
}

#[cfg(test)]
mod tests {
    use super::super::processes::tests::table;
    use super::*;

    #[test]
    fn tasks_are_found_by_job_and_step() {
        let mut processes = table(&[
            (5, 1, "app", Some(0)),
            (6, 1, "app", Some(1)),
            (7, 1, "app", Some(0)),
            (8, 1, "srun", Some(0)),
            (9, 1, "rankscope", None),
        ]);
        for (pid, step) in [(5, "0"), (6, "0"), (7, "1"), (9, "2")] {
            processes.0.get_mut(&pid).unwrap().step = Some(("12".to_owned(), step.to_owned()));
        }
        let rank_table = tasks(&processes, "12.0").unwrap();
        assert_eq!((&rank_table.places[0], &rank_table.places[1]), (&Ok(5.into()), &Ok(6.into())));
        assert!(tasks(&processes, "12").unwrap_err().contains("--job 12.0"));
        assert!(tasks(&processes, "12.7").unwrap_err().contains("no step 7"));
        assert!(tasks(&processes, "13").unwrap_err().contains("job 13"));
        processes.0.remove(&7);
        assert!(tasks(&processes, "12").is_ok());
    }
}
