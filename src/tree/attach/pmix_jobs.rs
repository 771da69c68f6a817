//! Chooses a job among those that a launcher's PMIx server lists, and numbers its processes.

use super::job_table::{OwnHost, rank_table};
use super::processes::Processes;
use super::rank_table::RankTable;
use engine::process::mpir::TableEntry;
use engine::process::pmix::PmixJob;

/// A greater rank is damage: simulated ranks have lower ones.
const HIGHEST_RANK: u32 = 1 << 20;

/// Returns the processes of the first job. The later ones are those that its ranks have spawned, or those of other users
/// of the same launcher; a note names them.
pub fn job_table(jobs: &[PmixJob], processes: &Processes, own: &OwnHost) -> Result<RankTable, String> {
    let mut jobs: Vec<&PmixJob> = jobs.iter().filter(|job| !job.processes.is_empty() && !is_tool(job)).collect();
    jobs.sort_by_key(|job| number(job));
    let (job, others) = jobs.split_first().ok_or("it has no jobs")?;
    let damage = job.processes.iter().find(|process| process.rank >= HIGHEST_RANK);
    if let Some(process) = damage {
        return Err(format!("it lists a process as rank {}", process.rank));
    }
    let size = job.processes.iter().map(|process| process.rank + 1).max().unwrap_or(0);
    let none = TableEntry { host: String::new(), program: String::new(), pid: 0 };
    let mut entries = vec![none; size as usize];
    for process in &job.processes {
        if let Some(entry) = entries.get_mut(process.rank as usize) {
            let (host, program) = (process.host.clone(), process.program.clone());
            *entry = TableEntry { host, program, pid: process.pid };
        }
    }
    let mut found = rank_table(&entries, processes, own);
    let said = others.iter().map(|other| format!("{} ({})", other.name, count(other)));
    let said: Vec<String> = said.collect();
    if !said.is_empty() {
        let said = said.join(", ");
        found
            .notes
            .push(format!("this is job {}; its launcher also has {said}: attach to their process IDs", job.name));
    }
    Ok(found)
}

/// True for a tool, such as another debugger: PRRTE lists it with a directory as its program.
fn is_tool(job: &PmixJob) -> bool {
    job.processes.iter().all(|process| process.program.ends_with('/'))
}

fn count(job: &PmixJob) -> String {
    match job.processes.len() {
        1 => "1 rank".to_owned(),
        many => format!("{many} ranks"),
    }
}

/// Returns the number at the end of a namespace: `prterun-host-12@1`.
fn number(job: &PmixJob) -> u32 {
    job.name.rsplit('@').next().and_then(|number| number.parse().ok()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::processes::tests::table;
    use super::*;
    use crate::attach::Spot;
    use engine::process::pmix::PmixProcess;

    fn job(name: &str, processes: &[(u32, &str, i32)]) -> PmixJob {
        let process = |(rank, host, pid): &(u32, &str, i32)| PmixProcess {
            rank: *rank,
            host: (*host).to_owned(),
            program: if *host == "tool" { "/".to_owned() } else { "/bin/app".to_owned() },
            pid: *pid,
        };
        PmixJob { name: name.to_owned(), processes: processes.iter().map(process).collect() }
    }

    fn own() -> OwnHost {
        OwnHost(vec!["a".to_owned()])
    }

    #[test]
    fn ranks_on_all_hosts_are_found_by_the_launchers_list() {
        let processes = table(&[(5, 1, "app", None), (6, 1, "sh", None), (7, 6, "app", None)]);
        let jobs = [
            job("prterun-a-1@12", &[(0, "b", 30)]),
            job("prterun-a-1@3", &[(0, "tool", 9)]),
            job("prterun-a-1@2", &[]),
            job("prterun-a-1@4", &[(3, "b", 5), (1, "a", 6), (0, "a", 5), (4, "b", 0)]),
        ];
        let found = job_table(&jobs, &processes, &own()).unwrap();
        assert_eq!((&found.places[0], &found.places[1]), (&Ok(5.into()), &Ok(7.into())));
        assert_eq!(found.places[3], Ok(Spot { host: Some("b".to_owned()), pid: 5 }));
        assert!(found.partial && found.absent()[0].0.to_string() == "2,4", "{:?}", found.absent());
        assert!(found.notes[1].contains("prterun-a-1@12 (1 rank)"), "{:?}", found.notes);
    }

    #[test]
    fn a_list_without_jobs_or_with_senseless_ranks_is_refused() {
        let (processes, own) = (table(&[]), own());
        assert!(job_table(&[job("x@2", &[(0, "tool", 9)])], &processes, &own).unwrap_err().contains("no jobs"));
        assert!(job_table(&[job("x@2", &[(u32::MAX, "a", 9)])], &processes, &own).unwrap_err().contains("as rank"));
    }
}
