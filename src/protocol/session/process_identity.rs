//! Tells a process from all others that had or will have its number: by its start time and its user.

use super::directory::own_uid;
use std::fmt;
use std::fs;
use std::str::FromStr;

/// A process of this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessIdentity {
    /// The process id.
    pub pid: u32,
    /// The start time, in clock ticks since the host's boot (proc(5), starttime).
    pub start: u64,
}

impl ProcessIdentity {
    /// Returns the identity of this process.
    pub fn own() -> Self {
        let pid = std::process::id();
        Self { pid, start: start_of(pid).unwrap_or(0) }
    }

    /// Returns the process that has this number now; `None` if there is none.
    pub fn of(pid: u32) -> Option<Self> {
        Some(Self { pid, start: start_of(pid)? })
    }

    /// True if the process still exists, belongs to this user and is no zombie. The same program name does not make it
    /// ours.
    pub fn is_ours_and_alive(&self) -> bool {
        self.pid > 1 && start_of(self.pid) == Some(self.start) && user_of(self.pid) == Some(own_uid())
    }
}

/// `PID START`
impl fmt::Display for ProcessIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.start)
    }
}

impl FromStr for ProcessIdentity {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (pid, start) = text.trim().split_once(' ').ok_or(())?;
        Ok(Self { pid: pid.parse().map_err(drop)?, start: start.parse().map_err(drop)? })
    }
}

fn start_of(pid: u32) -> Option<u64> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name may contain anything; it ends with the last parenthesis. Field 3 is the state, field 22 the start time.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let is_gone = matches!(fields.next()?, "Z" | "X");
    fields.nth(18)?.parse().ok().filter(|_| !is_gone)
}

/// Returns the effective user. The owner of the process's directory in proc is root if it must not be dumped.
fn user_of(pid: u32) -> Option<u32> {
    let status = fs::read(format!("/proc/{pid}/status")).ok()?;
    let status = String::from_utf8_lossy(&status);
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_another_process_has_got_is_not_the_process() {
        let own = ProcessIdentity::own();
        assert!(own.start > 0 && own.is_ours_and_alive());
        assert_eq!(ProcessIdentity::of(own.pid), Some(own));
        assert_eq!(own.to_string().parse(), Ok(own));
        assert!(!ProcessIdentity { start: own.start + 1, ..own }.is_ours_and_alive());
        assert!("17".parse::<ProcessIdentity>().is_err() && "17 x".parse::<ProcessIdentity>().is_err());
    }

    #[test]
    fn a_process_that_waits_to_be_reaped_is_gone() {
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let identity = ProcessIdentity::of(child.id()).unwrap();
        assert!(identity.is_ours_and_alive());
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGKILL)
            .unwrap();
        let wait = nix::sys::wait::WaitPidFlag::WEXITED | nix::sys::wait::WaitPidFlag::WNOWAIT;
        let id = nix::sys::wait::Id::Pid(nix::unistd::Pid::from_raw(child.id() as i32));
        nix::sys::wait::waitid(id, wait).unwrap();
        assert!(!identity.is_ours_and_alive());
        child.wait().unwrap();
        assert!(!identity.is_ours_and_alive());
    }
}
