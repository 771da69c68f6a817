//! The tasks of a Slurm job on all of its nodes: those of this host are looked for here, the others by a step inside the job
//! that says what it sees.

use super::job_table::OwnHost;
use super::processes::Processes;
use super::roster::{Roster, Spot};
use super::slurm;
use crate::outpost::slurm_step;
use crate::own_program::own_words;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// What one node sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// As Slurm names it.
    node: String,
    /// A process for each rank, or why there is none; otherwise why nothing can be seen.
    seen: Result<Vec<Result<i32, String>>, String>,
    /// For the user.
    notes: Vec<String>,
}

impl Census {
    /// What this node sees of a job or step.
    pub fn here(name: &str) -> Self {
        let node = std::env::var("SLURMD_NODENAME").unwrap_or_default();
        let found = slurm::tasks(&of_node(Processes::now(), &node), name);
        let notes = found.as_ref().map_or_else(|_| Vec::new(), |roster| roster.notes.clone());
        let pids = |roster: Roster| roster.places.into_iter().map(|place| place.map(|spot| spot.pid)).collect();
        Self { node, seen: found.map(pids), notes }
    }

    /// The line that says it.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Several nodes may share a host; a task knows its own.
fn of_node(mut processes: Processes, node: &str) -> Processes {
    processes.0.retain(|_, process| process.step.is_none() || process.node.as_deref() == Some(node));
    processes
}

/// The tasks of a job, or of one step of it: `12` or `12.0`. Otherwise a sentence for the user.
pub fn tasks(name: &str) -> Result<Roster, String> {
    let job = name.split_once('.').map_or(name, |(job, _)| job);
    let own = OwnHost::now();
    let (here, there): (Vec<String>, Vec<String>) = nodes_of(job).into_iter().partition(|node| own.is(node));
    if there.is_empty() {
        return slurm::tasks(&Processes::now(), name);
    }
    let mut all = ask(job, name, &there)?;
    if let [node] = here.as_slice() {
        let roster = slurm::tasks(&of_node(Processes::now(), node), name);
        all.insert(0, (None, roster));
    }
    let mut joined = join(all)?;
    joined.slurm = Some(job.to_owned());
    Ok(joined)
}

/// The nodes that a running job has; none where Slurm cannot be asked.
fn nodes_of(job: &str) -> Vec<String> {
    let said = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let list = said("squeue", &["--noheader", "--jobs", job, "--format=%N"]).filter(|list| !list.is_empty());
    let names = list.and_then(|list| said("scontrol", &["show", "hostnames", &list]));
    names.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// What nodes say, each with its name.
fn ask(job: &str, name: &str, nodes: &[String]) -> Result<Vec<(Option<String>, Result<Roster, String>)>, String> {
    let program = own_words().map_err(|error| format!("cannot find rankscope's own program: {error}"))?;
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let mut step = slurm_step(job, &nodes, &program).map_err(|error| error.to_string())?;
    step.args(["--census", name]).stdin(Stdio::null());
    let output = step.output().map_err(|error| format!("cannot start srun to see the tasks of job {job}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let all: Vec<Census> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if let Some(silent) = nodes.iter().find(|node| !all.iter().any(|census| census.node == **node)) {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(format!("node {silent} of Slurm job {job} does not say which tasks it has: {}", words.trim()));
    }
    Ok(all.into_iter().map(|census| (Some(census.node.clone()), census.roster())).collect())
}

impl Census {
    fn roster(self) -> Result<Roster, String> {
        let host = Some(self.node);
        let places = self.seen?.into_iter().map(|place| place.map(|pid| Spot { host: host.clone(), pid })).collect();
        Ok(Roster { places, partial: true, notes: self.notes, ..Roster::default() })
    }
}

/// What all nodes see, in one. A node that cannot say anything matters when no other can.
fn join(all: Vec<(Option<String>, Result<Roster, String>)>) -> Result<Roster, String> {
    let mut joined = Roster { partial: true, ..Roster::default() };
    let mut refusals: Vec<String> = Vec::new();
    for (host, roster) in all {
        match roster {
            Ok(roster) => {
                joined.notes.extend(roster.notes);
                let absent = || Err("no process of the job's nodes is this rank: it has ended".to_owned());
                joined.places.resize_with(joined.places.len().max(roster.places.len()), absent);
                for (rank, (known, place)) in joined.places.iter_mut().zip(roster.places).enumerate() {
                    match (&known, place) {
                        (Ok(before), Ok(spot)) => {
                            let name = |host: &Option<String>| host.clone().unwrap_or_else(|| "this host".to_owned());
                            let (one, other) = (name(&before.host), name(&spot.host));
                            *known = Err(format!("processes of {one} and of {other} are both rank {rank}"));
                        }
                        (Err(_), Ok(spot)) => *known = Ok(spot),
                        // More than that no process is there.
                        (Err(_), Err(why)) if why.starts_with("processes ") => *known = Err(why),
                        (_, Err(_)) => {}
                    }
                }
            }
            Err(why) => refusals.push(host.map_or_else(|| why.clone(), |host| format!("{host}: {why}"))),
        }
    }
    match refusals.into_iter().next() {
        Some(why) if joined.places.is_empty() => Err(why),
        _ => Ok(joined),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(node: &str, places: &[Option<i32>]) -> (Option<String>, Result<Roster, String>) {
        let seen = places.iter().map(|pid| pid.ok_or_else(|| "not here".to_owned())).collect();
        let census = Census { node: node.to_owned(), seen: Ok(seen), notes: vec![node.to_owned()] };
        assert_eq!(serde_json::from_str::<Census>(&census.line()).unwrap(), census);
        (Some(node.to_owned()), census.roster())
    }

    #[test]
    fn nodes_are_put_together() {
        let all = vec![
            census("a", &[Some(1), None, None, Some(4)]),
            census("b", &[None, Some(2), None, Some(5)]),
            (Some("c".to_owned()), Err("nothing here".to_owned())),
        ];
        let joined = join(all).unwrap();
        let spot = |host: &str, pid| Ok(Spot { host: Some(host.to_owned()), pid });
        assert_eq!((&joined.places[0], &joined.places[1]), (&spot("a", 1), &spot("b", 2)));
        assert!(joined.places[2].as_ref().unwrap_err().contains("has ended"));
        assert!(joined.places[3].as_ref().unwrap_err().contains("both rank 3"));
        assert_eq!(joined.notes, ["a", "b"]);
        let nothing = vec![(Some("c".to_owned()), Err("nothing here".to_owned()))];
        assert_eq!(join(nothing), Err("c: nothing here".to_owned()));
    }
}
