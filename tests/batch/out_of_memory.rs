//! The kernel kills a rank in a control group (cgroups(7)) of the test. Where no group can be made, tests/run says so and
//! leaves these tests out.

use crate::support::batch::Place;
use crate::support::build::build;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Room for rankscope and the ranks that need little.
const LIMIT: u64 = 400 << 20;

/// A control group with a limit, removed at the end.
struct Group {
    directory: PathBuf,
    /// How to limit memory, and swapping where the kernel counts it.
    limits: [&'static str; 2],
}

impl Group {
    fn new() -> Self {
        let version_1 = Path::new("/sys/fs/cgroup/memory");
        let (root, limits) = if version_1.is_dir() {
            (version_1, ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"])
        } else {
            // The controller may be on already.
            let _ = fs::write("/sys/fs/cgroup/cgroup.subtree_control", "+memory");
            (Path::new("/sys/fs/cgroup"), ["memory.max", "memory.swap.max"])
        };
        let directory = root.join(format!("rankscope-test-{}", std::process::id()));
        fs::create_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
        let group = Self { directory, limits };
        fs::write(group.directory.join(group.limits[0]), LIMIT.to_string()).unwrap();
        let swap = if group.limits[1] == "memory.swap.max" { 0 } else { LIMIT };
        let _ = fs::write(group.directory.join(group.limits[1]), swap.to_string());
        group
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.directory);
    }
}

#[test]
fn a_rank_that_the_kernel_kills_for_memory_is_told_from_others_under_both_engines() {
    let group = Group::new();
    let program = build("gcc", "failing.c", &["-g", "-O0", "-fstack-protector-all", "-w", "-pthread", "-lm"]);
    for engine in ["native", "gdb"] {
        let place = Place::new();
        let mut command = Command::new("/bin/sh");
        let enter = format!("echo $$ >{}/cgroup.procs && exec \"$@\"", group.directory.display());
        command.args(["-c", &enter, "sh", env!("CARGO_BIN_EXE_rankscope"), "run", "--timeout", "80", "--batch", "-"]);
        command.args(["--engine", engine, "-n", "2", program.to_str().unwrap(), "memory"]);
        let outcome = place.run_command(&mut command, "go\nwait 1\nstatus\n");
        let words = "out of memory: since this rank has started, the kernel has killed 1 process of its control group, \
                     whose limit is 400 MiB";
        let said: Vec<_> =
            outcome.text.lines().chain(outcome.errors.lines()).filter(|row| row.contains(words)).collect();
        assert!(matches!(said[..], [row] if row.starts_with("[1] ")), "{engine}: {}{}", outcome.text, outcome.errors);
        assert!(outcome.text.contains("killed by SIGKILL"), "{engine}: {}", outcome.text);
    }
}
