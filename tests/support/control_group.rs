//! A control group (cgroups(7)) whose memory is limited. Where none can be made, tests/run says so and leaves the tests
//! out that need one.

use std::fs;
use std::path::{Path, PathBuf};

/// Room for rankscope and the ranks that need little.
const LIMIT: u64 = 400 << 20;

/// A control group with a limit, removed at the end.
pub struct ControlGroup {
    directory: PathBuf,
    /// How to limit memory, and swapping where the kernel counts it.
    limits: [&'static str; 2],
}

impl ControlGroup {
    pub fn new() -> Self {
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

    /// Returns arguments with which `/bin/sh` enters the group and becomes a program there.
    pub fn enter(&self, program: &str) -> Vec<String> {
        let enter = format!("echo $$ >{}/cgroup.procs && exec \"$@\"", self.directory.display());
        ["-c", &enter, "sh", program].map(str::to_owned).to_vec()
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.directory);
    }
}
