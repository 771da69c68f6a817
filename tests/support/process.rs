//! Processes that do not outlive the test that started them.

use super::wait::wait_for;
use std::{
    fs,
    process::{Child, Command, ExitStatus},
};

/// A child that is killed when the guard is dropped.
pub struct Guard(pub Child);

impl Guard {
    #[track_caller]
    pub fn spawn(command: &mut Command) -> Self {
        Self(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }

    /// Waits for its end, within the limit.
    pub fn wait(&mut self) -> ExitStatus {
        wait_for("the end of a process", || self.0.try_wait().unwrap())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The fields of a process from its state on (proc(5), stat); `None` if there is none.
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before them ends with the last parenthesis.
    let (_, rest) = stat.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// True if a process exists and is no zombie.
pub fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| !fields[0].starts_with(['Z', 'X']))
}

/// True if a process waits in a system call.
pub fn is_asleep(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| fields[0] == "S")
}

/// The processor time that a process has taken, in clock ticks.
pub fn time_taken(pid: u32) -> u64 {
    let (user, system) = (11, 12);
    stat(pid).map_or(0, |fields| [user, system].iter().map(|&at| fields[at].parse::<u64>().unwrap()).sum())
}

#[track_caller]
pub fn parent_of(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap();
    parent.trim().parse().unwrap()
}

/// Finds a program in `PATH`.
#[track_caller]
pub fn in_path(name: &str) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::env::split_paths(&path).map(|directory| directory.join(name));
    all.into_iter().find(|file| file.is_file()).unwrap_or_else(|| panic!("{name} is not in PATH"))
}

/// True if a process runs a program with this name.
pub fn runs(pid: i32, program: &str) -> bool {
    fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe.ends_with(program))
}
