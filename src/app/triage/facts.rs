//! Facts about the run that only this process knows: time, host, user, limits, and the variables of batch systems.

use crate::link::session::host_name;
use model::ResourceLimit;
use std::time::{SystemTime, UNIX_EPOCH};

/// Variables that batch systems and launchers set, and those that change how a program runs.
const VARIABLES: [&str; 15] = [
    "SLURM_JOB_ID",
    "SLURM_JOB_NAME",
    "SLURM_JOB_PARTITION",
    "SLURM_JOB_NODELIST",
    "SLURM_NTASKS",
    "SLURM_MEM_PER_NODE",
    "SLURM_MEM_PER_CPU",
    "PBS_JOBID",
    "PBS_QUEUE",
    "LSB_JOBID",
    "FLUX_JOB_ID",
    "FLUX_ENCLOSING_ID",
    "OMP_NUM_THREADS",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
];
/// The limits that end jobs.
const LIMITS: [&str; 6] = ["stack size", "core file size", "address space", "resident set", "processes", "open files"];

/// Returns the facts; with the limits of this process, for want of those of ranks.
pub(super) fn facts(with_limits: bool) -> Vec<(String, String)> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let text = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![
        text("time", utc(now)),
        text("host", host_name()),
        text("user", std::env::var("USER").unwrap_or_else(|_| nix::unistd::getuid().to_string())),
        text("rankscope", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    if let Ok(directory) = std::env::current_dir() {
        facts.push(text("directory", directory.to_string_lossy().into_owned()));
    }
    let variable = |name: &&str| Some(((*name).to_owned(), std::env::var_os(name)?.to_string_lossy().into_owned()));
    facts.extend(VARIABLES.iter().filter_map(variable));
    if with_limits {
        facts.extend(limits(&std::fs::read_to_string("/proc/self/limits").unwrap_or_default()));
    }
    facts
}

/// Returns the limits that end jobs, from the table of the kernel.
fn limits(table: &str) -> Vec<(String, String)> {
    let all = ResourceLimit::parse_table(table).into_iter();
    let those = all.filter(|limit| LIMITS.contains(&&*limit.name));
    let value = |limit: &ResourceLimit| limit.soft.map_or_else(|| "unlimited".to_owned(), |soft| soft.to_string());
    those.map(|limit| (format!("limit of rankscope: {}", limit.name), value(&limit))).collect()
}

/// Formats a time in seconds since 1970.
pub(super) fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Counted in years from March, a leap day is the last one (H. Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_date() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_704_067_199), "2023-12-31 23:59:59 UTC");
        assert_eq!(utc(4_107_542_400), "2100-03-01 00:00:00 UTC");
    }

    #[test]
    fn limits_are_the_soft_ones() {
        let table = "Limit   Soft Limit   Hard Limit  Units\nMax stack size            8388608              unlimited            bytes\n";
        assert_eq!(limits(table), [("limit of rankscope: stack size".to_owned(), "8388608".to_owned())]);
    }
}
