//! Processes that the kernel has killed for lack of memory: it counts them for each control group (cgroups(7)) and for the
//! host, but tells nobody why a process got SIGKILL.

use debuginfo::named_file;
use model::{Cause, CauseKind, Termination};
use nix::libc;
use std::path::{Path, PathBuf};

/// The counts that belong to a process, and what they were when it was first looked at.
#[derive(Debug, Default)]
pub(crate) struct MemoryKills {
    group: Option<(ControlGroup, u64)>,
    host: Option<(PathBuf, u64)>,
}

/// A memory control group.
#[derive(Debug, PartialEq, Eq)]
struct ControlGroup {
    directory: PathBuf,
    hierarchy: Hierarchy,
}

/// The two kinds of hierarchies of control groups, of which a host may have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hierarchy {
    /// cgroups version 2: one hierarchy, a line `0::PATH` in `/proc/PID/cgroup`.
    Unified,
    /// The memory controller of version 1: a line `N:memory:PATH`.
    Memory,
}

impl Hierarchy {
    /// The file with the line `oom_kill N`.
    fn events(self) -> &'static str {
        match self {
            Self::Unified => "memory.events",
            Self::Memory => "memory.oom_control",
        }
    }

    fn limit(self) -> &'static str {
        match self {
            Self::Unified => "memory.max",
            Self::Memory => "memory.limit_in_bytes",
        }
    }
}

impl ControlGroup {
    /// Finds the memory control group of a process, or the nearest one around it that can be read.
    fn of(proc: &Path, pid: i32) -> Option<Self> {
        let groups = text_of(&proc.join(pid.to_string()).join("cgroup"))?;
        let mounts = text_of(&proc.join("self/mountinfo"))?;
        let known = [Hierarchy::Memory, Hierarchy::Unified].into_iter();
        let mut found = known.filter_map(|hierarchy| {
            let (mounted, path) = (mount_point(&mounts, hierarchy)?, path_of(&groups, hierarchy)?);
            let directory = mounted.join(path.trim_start_matches('/'));
            let around = directory.ancestors().take_while(|around| around.starts_with(mounted));
            let mut around = around.filter(|around| count_in(&around.join(hierarchy.events())).is_some());
            Some(Self { directory: around.next()?.to_owned(), hierarchy })
        });
        found.next()
    }

    fn count(&self) -> Option<u64> {
        count_in(&self.directory.join(self.hierarchy.events()))
    }

    /// The memory that the group may have, in bytes; `None` if that is not limited.
    fn limit(&self) -> Option<u64> {
        /// Version 1 shows a number close to this if there is no limit.
        const NO_LIMIT: u64 = 1 << 62;
        let text = text_of(&self.directory.join(self.hierarchy.limit()))?;
        text.trim().parse().ok().filter(|limit| *limit < NO_LIMIT)
    }
}

impl MemoryKills {
    /// Notes the counts of a process that is alive.
    pub(crate) fn of(pid: i32) -> Self {
        Self::beside(Path::new("/proc"), pid)
    }

    fn beside(proc: &Path, pid: i32) -> Self {
        let group = ControlGroup::of(proc, pid).and_then(|group| group.count().map(|count| (group, count)));
        let host = proc.join("vmstat");
        Self { group, host: count_in(&host).map(|count| (host, count)) }
    }

    /// Says why a process got SIGKILL, if the kernel has killed any for lack of memory since it was first looked at.
    pub(crate) fn explain(&self, termination: &mut Termination) {
        if termination.signal.number() == Some(libc::SIGKILL) {
            let cause = |text| Box::new(Cause { kind: CauseKind::OutOfMemory, text, source: None });
            termination.cause = self.words().map(cause);
        }
    }

    /// The same words for all ranks of a group: the number of processes would set those apart that were killed alike.
    fn words(&self) -> Option<String> {
        let killed = |count: Option<u64>, before: u64| count.is_some_and(|count| count > before);
        let where_it_kills = match (&self.group, &self.host) {
            // A launcher may have removed the group by now.
            (Some((group, before)), _) if killed(group.count(), *before) => {
                let limit = group.limit().map_or_else(String::new, |limit| format!(", whose limit is {}", size(limit)));
                format!("its control group{limit}")
            }
            (_, Some((host, before))) if killed(count_in(host), *before) => "this host".to_owned(),
            _ => return None,
        };
        Some(format!("out of memory: since this rank started, the kernel has killed processes of {where_it_kills}"))
    }
}

fn text_of(file: &Path) -> Option<String> {
    /// More than the kernel writes into any of these files.
    const LONGEST: u64 = 1 << 20;
    String::from_utf8(named_file::read(file, LONGEST).ok()?).ok()
}

/// Returns the number of a line `oom_kill N`.
fn count_in(file: &Path) -> Option<u64> {
    let text = text_of(file)?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// Finds where a hierarchy is mounted (proc(5), mountinfo): `… MOUNT-POINT … - TYPE SOURCE OPTIONS`.
fn mount_point(mounts: &str, hierarchy: Hierarchy) -> Option<&Path> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let is_it = match (hierarchy, kind.next()?) {
            (Hierarchy::Unified, "cgroup2") => true,
            (Hierarchy::Memory, "cgroup") => kind.nth(1)?.split(',').any(|option| option == "memory"),
            _ => false,
        };
        place.split(' ').nth(4).filter(|_| is_it).map(Path::new)
    })
}

fn path_of(groups: &str, hierarchy: Hierarchy) -> Option<&str> {
    groups.lines().find_map(|line| {
        let (_, controllers_and_path) = line.split_once(':')?;
        let (controllers, path) = controllers_and_path.split_once(':')?;
        let is_it = match hierarchy {
            Hierarchy::Unified => controllers.is_empty(),
            Hierarchy::Memory => controllers.split(',').any(|one| one == "memory"),
        };
        is_it.then_some(path)
    })
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    match bytes {
        0..MIB => format!("{bytes} bytes"),
        _ if bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ => format!("{} MiB", bytes / MIB),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PID: i32 = 7;

    /// A `/proc` and control groups in a directory of the test.
    struct Host(tempfile::TempDir);

    impl Host {
        fn new(groups: &str, kind: &str) -> Self {
            let host = Self(tempfile::tempdir().unwrap());
            let mounted = host.0.path().join("cgroup");
            host.write("proc/7/cgroup", groups);
            let mount = format!("30 23 0:26 / {} rw,relatime shared:4 - {kind}\n", mounted.display());
            host.write("proc/self/mountinfo", &format!("1 1 0:2 / / rw - ext4 /dev/vda rw\n{mount}"));
            host.write("proc/vmstat", "pgfault 9\noom_kill 3\n");
            host
        }

        fn write(&self, file: &str, text: &str) {
            let file = self.0.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }

        fn kills(&self) -> MemoryKills {
            MemoryKills::beside(&self.0.path().join("proc"), PID)
        }
    }

    #[test]
    fn a_control_group_of_version_2_names_its_limit() {
        let host = Host::new("0::/job_1/step_0\n", "cgroup2 cgroup2 rw");
        host.write("cgroup/job_1/step_0/memory.events", "low 0\nhigh 0\nmax 90\noom 2\noom_kill 1\n");
        host.write("cgroup/job_1/step_0/memory.max", "2147483648\n");
        let kills = host.kills();
        assert_eq!(kills.words(), None, "what was before does not count");
        host.write("cgroup/job_1/step_0/memory.events", "oom 4\noom_kill 2\n");
        assert_eq!(
            kills.words().unwrap(),
            "out of memory: since this rank started, the kernel has killed processes of its control group, whose limit is 2 GiB"
        );
    }

    #[test]
    fn a_control_group_of_version_1_may_be_one_around_it() {
        let host = Host::new("9:pids:/\n4:cpu,memory:/slurm/job_2\n0::/\n", "cgroup memory rw,cpu,memory");
        host.write("cgroup/slurm/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
        host.write("cgroup/slurm/memory.limit_in_bytes", "9223372036854771712\n");
        let kills = host.kills();
        host.write("cgroup/slurm/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
        let words = kills.words().unwrap();
        assert!(words.ends_with("has killed processes of its control group"), "{words}");
    }

    #[test]
    fn a_control_group_that_is_gone_leaves_the_count_of_the_host() {
        let host = Host::new("0::/job_3\n", "cgroup2 cgroup2 rw");
        host.write("cgroup/job_3/memory.events", "oom_kill 0\n");
        let kills = host.kills();
        fs::remove_dir_all(host.0.path().join("cgroup/job_3")).unwrap();
        host.write("proc/vmstat", "oom_kill 5\n");
        assert!(kills.words().unwrap().ends_with("has killed processes of this host"));
    }

    #[test]
    fn without_a_control_group_the_count_of_the_host_is_told() {
        let host = Host::new("0::/\n", "cgroup2 cgroup2 rw");
        let kills = host.kills();
        assert_eq!(kills.words(), None);
        host.write("proc/vmstat", "oom_kill 4\n");
        assert!(kills.words().unwrap().ends_with("has killed processes of this host"));
        assert_eq!(MemoryKills::default().words(), None);
    }
}
