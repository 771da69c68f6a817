//! From a launcher's table to processes, with what is wrong in the table.

use super::processes::Processes;
use super::roster::Roster;
use crate::engine::native::mpir::TableEntry;

/// Names by which this host is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnHost(pub String);

impl OwnHost {
    /// As the system names it.
    pub fn now() -> Self {
        Self(nix::unistd::gethostname().map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned()))
    }

    /// Whether a name in a table means this host: with or without its domain, or by a loopback name.
    fn is(&self, name: &str) -> bool {
        let first = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        name.is_empty()
            || matches!(name, "localhost" | "127.0.0.1" | "::1")
            || name == self.0
            || (first(name) == first(&self.0) && (!name.contains('.') || !self.0.contains('.')))
    }
}

/// The processes of a table. Those of other hosts, dead ones and those that stand twice in it are absent.
pub fn roster(entries: &[TableEntry], processes: &Processes, own: &OwnHost) -> Roster {
    let mut notes = Vec::new();
    let mut places: Vec<Result<i32, String>> = Vec::new();
    for (rank, entry) in entries.iter().enumerate() {
        let process = processes.0.get(&entry.pid);
        // Slurm may run several nodes on one host; the task knows its node.
        let here = own.is(&entry.host) || process.is_some_and(|process| process.node.as_ref() == Some(&entry.host));
        let before = entries.iter().take(rank).position(|other| (other.pid, &other.host) == (entry.pid, &entry.host));
        places.push(match (before, process) {
            (Some(before), _) => {
                Err(format!("the launcher's table names process {} for rank {before} already", entry.pid))
            }
            (None, _) if !here => {
                Err(format!("it is on host {}; attaching reaches only processes of this host", entry.host))
            }
            (None, None) => Err(format!("process {} of the launcher's table is gone", entry.pid)),
            (None, Some(_)) => {
                let (pid, note) = processes.below_shells(entry.pid);
                notes.extend(note.map(|note| format!("rank {rank}: {note}")));
                Ok(pid)
            }
        });
    }
    Roster { places, held: false, partial: true, notes }
}

#[cfg(test)]
mod tests {
    use super::super::processes::tests::table;
    use super::*;

    fn entry(host: &str, pid: i32) -> TableEntry {
        TableEntry { host: host.to_owned(), program: "./app".to_owned(), pid }
    }

    #[test]
    fn what_is_wrong_in_a_table_is_said_of_its_rank() {
        let mut processes = table(&[(5, 1, "app", None), (6, 1, "sh", None), (7, 6, "app", None), (8, 1, "app", None)]);
        processes.0.get_mut(&8).unwrap().node = Some("n3".to_owned());
        let entries =
            [entry("here", 5), entry("here", 5), entry("there", 6), entry("here.site.org", 6), entry("here", 9)];
        let roster = roster(&entries, &processes, &OwnHost("here".to_owned()));
        assert_eq!((&roster.places[0], &roster.places[3]), (&Ok(5), &Ok(7)));
        assert!(roster.places[1].as_ref().unwrap_err().contains("rank 0 already"));
        assert!(roster.places[2].as_ref().unwrap_err().contains("on host there"));
        assert!(roster.places[4].as_ref().unwrap_err().contains("gone"));
        assert!(roster.notes[0].starts_with("rank 3: process 6"));
    }

    #[test]
    fn a_task_knows_its_node() {
        let mut processes = table(&[(8, 1, "app", None)]);
        processes.0.get_mut(&8).unwrap().node = Some("n3".to_owned());
        let found = roster(&[entry("n3", 8), entry("n4", 8)], &processes, &OwnHost("here".to_owned()));
        assert_eq!(found.places[0], Ok(8));
        assert!(found.places[1].is_err());
    }

    #[test]
    fn hosts_are_told_by_name() {
        let own = OwnHost("node1.site.org".to_owned());
        assert!(own.is("node1") && own.is("node1.site.org") && own.is("localhost"));
        assert!(!own.is("node1.elsewhere.org") && !own.is("node2"));
    }
}
