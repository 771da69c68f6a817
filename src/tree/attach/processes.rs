//! A snapshot of the processes of this host.

use crate::join::{Place, claimed_place, rank_variables};
use engine::process::procfs::{
    ProcessStatus, all_processes, command_line, described, environment, executable, variable_of,
};
use std::collections::BTreeMap;

/// Programs that run another one: if a launcher was given a script, the program is below these.
const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "ksh", "zsh", "csh", "tcsh", "busybox", "env", "time", "taskset", "numactl", "nice",
    "timeout",
];

/// Programs that are no ranks, though they may have the environment of one: our own (a server that a launcher has
/// started), and those that start the tasks of Flux, which have the variables of the instance that they belong to.
const NO_RANKS: [&str; 6] = ["rankscope", "rankscope-sdm", "rankscope-static", "flux-broker", "flux-shell", "flux-imp"];

/// One process of this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bystander {
    /// Process ID of the parent.
    pub parent: i32,
    /// The program it executes, without directories.
    pub program: String,
    /// The command line, for messages.
    pub line: String,
    /// Rank and job size from its environment; `None` if it names none.
    pub place: Option<Place>,
    /// The environment variables that name a rank and its job, with their values.
    pub claims: Vec<(&'static str, String)>,
    /// `SLURMD_NODENAME`: the node as Slurm names it.
    pub node: Option<String>,
    /// `SLURM_JOB_ID` and `SLURM_STEP_ID`: the step it is a task of.
    pub step: Option<(String, String)>,
}

/// All processes by process ID, without those that have ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Processes(pub BTreeMap<i32, Bystander>);

impl Processes {
    /// Reads all processes from /proc.
    pub fn now() -> Self {
        Self(all_processes().into_iter().filter_map(|pid| Some((pid, Bystander::read(pid)?))).collect())
    }

    /// True if `pid` is a descendant of `above`.
    pub fn is_below(&self, pid: i32, above: i32) -> bool {
        let mut at = pid;
        // Limited to the number of processes: parents change while they are read.
        for _ in 0..self.0.len() {
            match self.0.get(&at) {
                Some(process) if process.parent == above => return true,
                Some(process) => at = process.parent,
                None => return false,
            }
        }
        false
    }

    /// Returns the program that a shell or the like runs, and a note about what was skipped on the way to it.
    pub fn below_shells(&self, pid: i32) -> (i32, Option<String>) {
        let mut at = pid;
        while let Some(process) = self.0.get(&at) {
            let children: Vec<i32> =
                self.0.iter().filter(|(_, child)| child.parent == at).map(|(child, _)| *child).collect();
            match children.as_slice() {
                [child]
                    if SHELLS.contains(&process.program.as_str())
                        && self.0.get(child).is_none_or(|child| !child.is_no_rank()) =>
                {
                    at = *child;
                }
                _ => break,
            }
        }
        let note = (at != pid).then(|| {
            let words = |pid: i32| self.0.get(&pid).map_or(String::new(), |process| format!(" ({})", process.line));
            format!("process {pid}{} is a wrapper: its child process {at}{} is debugged", words(pid), words(at))
        });
        (at, note)
    }
}

impl Bystander {
    /// True if it is no rank, whatever its environment says.
    pub fn is_no_rank(&self) -> bool {
        NO_RANKS.contains(&self.program.as_str())
    }

    /// True if it is a part of rankscope.
    pub fn is_ours(&self) -> bool {
        self.program.starts_with("rankscope") && self.is_no_rank()
    }

    /// Reads one process; `None` if it does not exist or has ended.
    pub fn read(pid: i32) -> Option<Self> {
        let status = ProcessStatus::read(pid).filter(|status| !status.has_ended())?;
        let environment = environment(pid);
        let get = |name: &str| variable_of(&environment, name);
        let program = executable(pid);
        let program = program.file_name().map(|name| name.to_string_lossy().into_owned());
        // The name `exe` is that of the link itself, which we may not read.
        let program = program.filter(|name| name != "exe").unwrap_or(status.name);
        let line = command_line(pid).join(" ");
        let line = if line.is_empty() { described(pid) } else { line };
        Some(Self::of(status.parent, program, line, get))
    }

    /// Describes a process by its environment.
    pub fn of(parent: i32, program: String, line: String, get: impl Fn(&str) -> Option<String>) -> Self {
        Self {
            parent,
            program,
            line,
            place: claimed_place(&get).ok().flatten(),
            claims: rank_variables(&get),
            node: get("SLURMD_NODENAME"),
            step: get("SLURM_JOB_ID").zip(get("SLURM_STEP_ID")),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use model::Rank;

    /// Each row holds process, parent, program, and rank (of 4).
    pub fn table(rows: &[(i32, i32, &str, Option<u32>)]) -> Processes {
        let row = |(pid, parent, program, rank): &(i32, i32, &str, Option<u32>)| {
            let process = Bystander {
                parent: *parent,
                program: (*program).to_owned(),
                line: format!("./{program}"),
                place: rank.map(|rank| Place { rank: Rank(rank), size: 4 }),
                claims: rank.iter().map(|rank| ("PMI_RANK", rank.to_string())).collect(),
                ..Bystander::default()
            };
            (*pid, process)
        };
        Processes(rows.iter().map(row).collect())
    }

    #[test]
    fn what_a_script_runs_is_below_it() {
        let table = table(&[(2, 1, "sh", None), (3, 2, "env", None), (4, 3, "app", None), (5, 4, "helper", None)]);
        let (pid, note) = table.below_shells(2);
        assert_eq!(
            (pid, note.as_deref()),
            (4, Some("process 2 (./sh) is a wrapper: its child process 4 (./app) is debugged"))
        );
        assert_eq!(table.below_shells(4), (4, None));
        let of_a_script = self::table(&[(2, 1, "bash", None), (3, 2, "rankscope", None)]);
        assert_eq!(of_a_script.below_shells(2), (2, None), "the debugger is not what the script runs");
        assert!(table.is_below(5, 2) && !table.is_below(2, 5) && !table.is_below(9, 1));
    }

    #[test]
    fn this_process_is_among_them() {
        let own = std::process::id() as i32;
        assert!(Processes::now().0.contains_key(&own));
        assert!(Bystander::read(i32::MAX).is_none());
    }
}
