//! The tasks of a Slurm job on all of its nodes: those of this host are searched for here, the others by a step inside the
//! job that reports what it sees.

use super::job_table::OwnHost;
use super::processes::Processes;
use super::rank_table::{RankTable, Spot};
use super::slurm_host;
use crate::own_program::own_words;
use crate::remote::slurm_step;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// The tasks that one node sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlurmTasks {
    /// The node's name in Slurm.
    node: String,
    /// For each rank a process, or why there is none; an error if the node sees nothing at all.
    seen: Result<Vec<Result<i32, String>>, String>,
    notes: Vec<String>,
}

impl SlurmTasks {
    /// Returns the tasks of a job or step that this node sees.
    pub fn here(name: &str) -> Self {
        let node = std::env::var("SLURMD_NODENAME").unwrap_or_default();
        let found = slurm_host::tasks(&of_node(Processes::now(), &node), name);
        let notes = found.as_ref().map_or_else(|_| Vec::new(), |rank_table| rank_table.notes.clone());
        let pids =
            |rank_table: RankTable| rank_table.places.into_iter().map(|place| place.map(|spot| spot.pid)).collect();
        Self { node, seen: found.map(pids), notes }
    }

    /// Encodes it as one line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The tasks that a node sees, or why it sees none.
struct NodeAnswer {
    /// `None` for this host.
    host: Option<String>,
    tasks: Result<RankTable, String>,
}

/// Keeps the tasks of one node: several nodes may share a host, and a task knows its own.
fn of_node(mut processes: Processes, node: &str) -> Processes {
    processes.0.retain(|_, process| process.step.is_none() || process.node.as_deref() == Some(node));
    processes
}

/// Returns the tasks of a job, or of one step of it (`12` or `12.0`), or a message for the user.
pub fn tasks(name: &str) -> Result<RankTable, String> {
    let job = name.split_once('.').map_or(name, |(job, _)| job);
    let own = OwnHost::now();
    let (here, there): (Vec<String>, Vec<String>) = nodes_of(job).into_iter().partition(|node| own.is(node));
    if there.is_empty() {
        return slurm_host::tasks(&Processes::now(), name);
    }
    let mut all = ask(job, name, &there)?;
    if let [node] = here.as_slice() {
        let tasks = slurm_host::tasks(&of_node(Processes::now(), node), name);
        all.insert(0, NodeAnswer { host: None, tasks });
    }
    let mut joined = join(all)?;
    joined.slurm = Some(job.to_owned());
    Ok(joined)
}

/// Returns the nodes of a running job; none if Slurm cannot be asked.
fn nodes_of(job: &str) -> Vec<String> {
    let said = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let list = said("squeue", &["--noheader", "--jobs", job, "--format=%N"]).filter(|list| !list.is_empty());
    let names = list.and_then(|list| said("scontrol", &["show", "hostnames", &list]));
    names.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn ask(job: &str, name: &str, nodes: &[String]) -> Result<Vec<NodeAnswer>, String> {
    let program = own_words().map_err(|error| format!("cannot find rankscope's own program: {error}"))?;
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let mut step = slurm_step(job, &nodes, &program).map_err(|error| error.to_string())?;
    step.args(["--census", name]).stdin(Stdio::null());
    let output = step.output().map_err(|error| format!("cannot start srun to list the tasks of job {job}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let all: Vec<SlurmTasks> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if let Some(silent) = nodes.iter().find(|node| !all.iter().any(|census| census.node == **node)) {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cannot list the tasks of Slurm job {job} on node {silent}: {}", words.trim()));
    }
    Ok(all.into_iter().map(SlurmTasks::answer).collect())
}

impl SlurmTasks {
    fn answer(self) -> NodeAnswer {
        let Self { node, seen, notes } = self;
        let host = Some(node);
        let tasks = seen.map(|seen| {
            let places = seen.into_iter().map(|place| place.map(|pid| Spot { host: host.clone(), pid })).collect();
            RankTable { places, partial: true, notes, ..RankTable::default() }
        });
        NodeAnswer { host, tasks }
    }
}

/// Joins the answers of all nodes. The error of one node matters only if no other node has tasks.
fn join(all: Vec<NodeAnswer>) -> Result<RankTable, String> {
    let mut joined = RankTable { partial: true, ..RankTable::default() };
    let mut refusals: Vec<String> = Vec::new();
    for NodeAnswer { host, tasks } in all {
        match tasks {
            Ok(rank_table) => {
                joined.notes.extend(rank_table.notes);
                let absent = || Err("no process on the job's nodes: it has ended".to_owned());
                joined.places.resize_with(joined.places.len().max(rank_table.places.len()), absent);
                for (rank, (known, place)) in joined.places.iter_mut().zip(rank_table.places).enumerate() {
                    match (&known, place) {
                        (Ok(before), Ok(spot)) => {
                            let name = |host: &Option<String>| host.clone().unwrap_or_else(|| "this host".to_owned());
                            let (one, other) = (name(&before.host), name(&spot.host));
                            *known = Err(format!("processes on {one} and on {other} both claim rank {rank}"));
                        }
                        (Err(_), Ok(spot)) => *known = Ok(spot),
                        // An error that names processes says more than one that found none.
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

    fn census(node: &str, places: &[Option<i32>]) -> NodeAnswer {
        let seen = places.iter().map(|pid| pid.ok_or_else(|| "not here".to_owned())).collect();
        let census = SlurmTasks { node: node.to_owned(), seen: Ok(seen), notes: vec![node.to_owned()] };
        assert_eq!(serde_json::from_str::<SlurmTasks>(&census.line()).unwrap(), census);
        census.answer()
    }

    fn nothing() -> NodeAnswer {
        NodeAnswer { host: Some("c".to_owned()), tasks: Err("nothing here".to_owned()) }
    }

    #[test]
    fn nodes_are_put_together() {
        let all =
            vec![census("a", &[Some(1), None, None, Some(4)]), census("b", &[None, Some(2), None, Some(5)]), nothing()];
        let joined = join(all).unwrap();
        let spot = |host: &str, pid| Ok(Spot { host: Some(host.to_owned()), pid });
        assert_eq!((&joined.places[0], &joined.places[1]), (&spot("a", 1), &spot("b", 2)));
        assert!(joined.places[2].as_ref().unwrap_err().contains("has ended"));
        assert!(joined.places[3].as_ref().unwrap_err().contains("both claim rank 3"));
        assert_eq!(joined.notes, ["a", "b"]);
        assert_eq!(join(vec![nothing()]), Err("c: nothing here".to_owned()));
    }
}
