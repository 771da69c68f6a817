//! Threads that do not stop because they are in the kernel.

use crate::native::ptrace::Tid;
use std::fs;

/// Says where the kernel holds threads that were told to stop; `None` if they are on their way.
pub(super) fn held_in_kernel(threads: impl Iterator<Item = Tid>) -> Option<String> {
    let mut places: Vec<String> = threads.filter_map(place).collect();
    places.sort();
    places.dedup();
    let places = Some(places.join(", ")).filter(|places| !places.is_empty())?;
    Some(format!("in the kernel, state D (disk sleep), in {places}: stops when its system call returns"))
}

/// Returns the kernel's function in which a thread sleeps uninterruptibly (proc_pid_wchan(5)).
fn place(tid: Tid) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{tid}/stat")).ok()?;
    if !is_uninterruptible(&stat) {
        return None;
    }
    let place = fs::read_to_string(format!("/proc/{tid}/wchan")).unwrap_or_default();
    Some(if place.is_empty() || place == "0" { "an unknown function".to_owned() } else { place })
}

/// The name may contain anything, parentheses, too; the state follows the last one (proc_pid_stat(5)).
fn is_uninterruptible(stat: &str) -> bool {
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('D'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_follows_the_name() {
        assert!(is_uninterruptible("7 (a) D 1 7 7"));
        assert!(!is_uninterruptible("7 (a) D) S 1 7 7"));
        assert!(!is_uninterruptible(""));
    }
}
