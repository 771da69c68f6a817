//! Turns a launcher's table into processes, and reports what is wrong in the table.

use super::processes::Processes;
use super::rank_table::{RankTable, Spot};
use crate::own_program::host_name;
use engine::process::mpir::TableEntry;
use protocol::{host_word, is_loopback, own_addresses};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Names by which this host is known, and its addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnHost(pub Vec<String>);

impl OwnHost {
    /// Reads the name that the system gives it, and that of Slurm, which may run several nodes on one host.
    pub fn now() -> Self {
        let addresses = own_addresses().into_iter().map(|address| address.to_string());
        Self(std::iter::once(host_name()).chain(std::env::var("SLURMD_NODENAME").ok()).chain(addresses).collect())
    }

    /// True if a name in a table means this host: with or without its domain, or by a loopback name.
    pub fn is(&self, name: &str) -> bool {
        let first = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let is_address = |name: &str| name.parse::<IpAddr>().is_ok();
        let same = |own: &String| {
            let by_first = !is_address(name) && !is_address(own) && (!name.contains('.') || !own.contains('.'));
            name == own || (by_first && first(name) == first(own))
        };
        name.is_empty() || is_loopback(name) || self.0.iter().any(same)
    }
}

/// Returns the processes of a table. Processes listed twice, and dead ones of this host, are absent.
pub fn rank_table(entries: &[TableEntry], processes: &Processes, own: &OwnHost) -> RankTable {
    let mut notes = Vec::new();
    let mut places: Vec<Result<Spot, String>> = Vec::new();
    let mut seen: BTreeMap<(&str, i32), usize> = BTreeMap::new();
    for (rank, entry) in entries.iter().enumerate() {
        if entry.pid <= 0 {
            places
                .push(Err("the launcher lists no process for this rank: it has ended, or not started yet".to_owned()));
            continue;
        }
        if let Some(before) = seen.get(&(entry.host.as_str(), entry.pid)) {
            places.push(Err(format!("the launcher's table lists process {} twice, first as rank {before}", entry.pid)));
            continue;
        }
        if let Err(error) = host_word(&entry.host)
            && !entry.host.is_empty()
        {
            places.push(Err(format!("the launcher's table has an invalid host for process {}: {error}", entry.pid)));
            continue;
        }
        seen.insert((&entry.host, entry.pid), rank);
        places.push(match processes.0.get(&entry.pid) {
            // The server on that host checks whether the process exists, and what it is.
            _ if !own.is(&entry.host) => Ok(Spot { host: Some(entry.host.clone()), pid: entry.pid }),
            None => Err(format!("process {} of the launcher's table has ended", entry.pid)),
            Some(_) => {
                let (pid, note) = processes.below_shells(entry.pid);
                notes.extend(note.map(|note| format!("rank {rank}: {note}")));
                Ok(pid.into())
            }
        });
    }
    RankTable { places, partial: true, notes, ..RankTable::default() }
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
        let processes = table(&[(5, 1, "app", None), (6, 1, "sh", None), (7, 6, "app", None)]);
        let entries =
            [entry("here", 5), entry("here", 5), entry("there", 6), entry("here.site.org", 6), entry("here", 9)];
        let rank_table = rank_table(&entries, &processes, &own("here"));
        assert_eq!((&rank_table.places[0], &rank_table.places[3]), (&Ok(5.into()), &Ok(7.into())));
        assert!(rank_table.places[1].as_ref().unwrap_err().contains("first as rank 0"));
        assert_eq!(rank_table.places[2], Ok(Spot { host: Some("there".to_owned()), pid: 6 }));
        assert!(rank_table.places[4].as_ref().unwrap_err().contains("has ended"));
        assert!(rank_table.notes[0].starts_with("rank 3: process 6"));
    }

    #[test]
    fn an_option_of_ssh_in_a_table_is_no_host() {
        let processes = table(&[(5, 1, "app", None)]);
        let rank_table = rank_table(&[entry("-oProxyCommand=id", 5), entry("here", 5)], &processes, &own("here"));
        assert!(rank_table.places[0].as_ref().unwrap_err().contains("-oProxyCommand=id"), "{:?}", rank_table.places);
        assert_eq!(rank_table.places[1], Ok(5.into()));
    }

    #[test]
    fn a_rank_without_a_process_id_is_absent_also_on_another_host() {
        let rank_table = rank_table(&[entry("there", 0), entry("there", -1)], &table(&[]), &own("here"));
        assert_eq!(rank_table.absent().len(), 1);
        assert!(rank_table.explanation().starts_with("[0-1] the launcher lists no process"));
    }

    fn own(names: &str) -> OwnHost {
        OwnHost(names.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn hosts_are_told_by_name() {
        let own = own("node1.site.org n1 10.0.0.1 fd00::1");
        for here in
            ["node1", "node1.site.org", "localhost", "127.0.0.1", "::1", "n1", "n1.site.org", "10.0.0.1", "fd00::1", ""]
        {
            assert!(own.is(here), "{here}");
        }
        for there in ["node1.elsewhere.org", "node2", "10.0.0.2", "10"] {
            assert!(!own.is(there), "{there}");
        }
    }
}
