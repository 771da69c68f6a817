//! The plan of an unattended run: when to report, and where to.

use super::time_limit::end_of_job;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Core files of a report if none are asked for, and the limit of the system allows core files.
const USUAL_CORES: u32 = 8;
/// Time before the end of a job at which its report is written, if the batch system has set the end.
const USUAL_MARGIN: Duration = Duration::from_secs(60);
/// Time without output and movement after which a job hangs.
const USUAL_IDLE: Duration = Duration::from_secs(600);
/// The numbers by which batch systems name jobs.
const JOB_NUMBERS: [&str; 6] = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "FLUX_ENCLOSING_ID", "JOB_ID"];

/// The options as given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The directory of the report.
    pub report: Option<PathBuf>,
    /// The time after which a job that does not move hangs; zero: never.
    pub idle: Option<Duration>,
    /// The time before the job's end at which a report is written; zero: none is.
    pub before_limit: Option<Duration>,
    /// The most core files.
    pub cores: Option<u32>,
}

/// The decisions about a run that are made before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The absolute path of the report's directory, which exists.
    pub directory: PathBuf,
    /// The time without output and movement after which a job hangs; `None`: it is not looked at.
    pub idle: Option<Duration>,
    /// The time from now until a report is due because the job will be ended; `None`: no such time is known.
    pub due: Option<Duration>,
    /// The most core files of a report.
    pub cores: u32,
}

impl Plan {
    /// Decides, and creates the directory; fails if no report could be written there, or if the limit is unknown.
    pub fn new(wishes: Wishes) -> Result<Self, String> {
        let directory = wishes.report.unwrap_or_else(|| PathBuf::from(usual_name(|name| std::env::var(name).ok())));
        let directory = std::path::absolute(&directory).unwrap_or(directory);
        let fault = |error| format!("cannot write a report in {}: {error}", directory.display());
        fs::create_dir_all(&directory).map_err(fault)?;
        must_be_writable(&directory).map_err(fault)?;
        let due = match wishes.before_limit {
            Some(Duration::ZERO) => None,
            Some(margin) => Some(until(end_of_job(true)?, margin)),
            None => end_of_job(false).ok().map(|end| until(end, USUAL_MARGIN)),
        };
        let cores = wishes.cores.unwrap_or(if cores_are_wanted() { USUAL_CORES } else { 0 });
        let idle = Some(wishes.idle.unwrap_or(USUAL_IDLE)).filter(|idle| !idle.is_zero());
        Ok(Self { directory, idle, due, cores })
    }
}

fn until(end: SystemTime, margin: Duration) -> Duration {
    end.duration_since(SystemTime::now()).unwrap_or_default().saturating_sub(margin)
}

fn usual_name(variable: impl Fn(&str) -> Option<String>) -> String {
    let is_plain = |number: &String| !number.is_empty() && !number.contains('/');
    let number = JOB_NUMBERS.iter().find_map(|name| variable(name).filter(is_plain));
    format!("rankscope-report-{}", number.unwrap_or_else(|| std::process::id().to_string()))
}

/// Writes a file and removes it: permissions alone do not tell about full, read-only and remote file systems.
fn must_be_writable(directory: &Path) -> std::io::Result<()> {
    let probe = directory.join(".rankscope-probe");
    let written = fs::write(&probe, "x");
    let removed = fs::remove_file(&probe);
    written.and(removed)
}

/// True if the system would write a core file of a program that crashes.
fn cores_are_wanted() -> bool {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let soft = limits.lines().find_map(|line| line.strip_prefix("Max core file size"));
    soft.and_then(|rest| rest.split_whitespace().next()).is_some_and(|limit| limit != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_named_after_the_batch_job() {
        let with = |name: &str, number: &str| usual_name(|asked| (asked == name).then(|| number.to_owned()));
        assert_eq!(with("SLURM_JOB_ID", "4711"), "rankscope-report-4711");
        assert_eq!(with("PBS_JOBID", "12.server"), "rankscope-report-12.server");
        assert_eq!(with("PBS_JOBID", "../x"), format!("rankscope-report-{}", std::process::id()));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_refused_at_once() {
        let wishes = Wishes { report: Some("/proc/none".into()), ..Wishes::default() };
        let why = Plan::new(wishes).unwrap_err();
        assert!(why.starts_with("cannot write a report in /proc/none: "), "{why}");
        let place = tempfile::tempdir().unwrap();
        let wishes = Wishes { report: Some(place.path().join("a/b")), cores: Some(3), ..Wishes::default() };
        let plan = Plan::new(wishes).unwrap();
        assert_eq!((plan.cores, plan.idle), (3, Some(USUAL_IDLE)));
        assert_eq!(fs::read_dir(place.path().join("a/b")).unwrap().count(), 0, "the probe is removed");
    }
}
