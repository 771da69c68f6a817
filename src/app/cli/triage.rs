//! The command line of `rankscope triage`.

use super::front_end::Front;
use super::job::Job;
use super::run::Run;
use super::usage_error::{UsageError, usage};
use crate::triage::Wishes;
use clap::{Arg, Args};
use model::{InputOption, InputSource, StopAt};
use std::path::PathBuf;
use std::time::Duration;

/// Text after the options.
pub(super) const TRIAGE_HELP: &str = "The job runs as without rankscope, at full speed, and ends with its own exit \
    status; 6: a report could not be written. Reports are written when a rank crashes, aborts, or exits unlike the \
    others, when nothing moves, before the time limit of a Slurm job, and on SIGUSR1, SIGUSR2, SIGTERM, SIGINT and \
    SIGHUP.\n\nExample, in a batch script:\n  #SBATCH --signal=B:USR1@300\n  exec rankscope triage mpirun ./solver";

/// Hides the options of scripts and of the screen, which triage refuses.
pub(super) fn hide_refused(argument: Arg) -> Arg {
    const REFUSED: [&str; 13] = [
        "save_as",
        "stop_at",
        "batch",
        "json",
        "raw",
        "keep_going",
        "timeout",
        "theme",
        "mouse",
        "graphics",
        "connect_dir",
        "connect_ports",
        "connect_address",
    ];
    let is_refused = REFUSED.contains(&argument.get_id().as_str());
    argument.hide(is_refused)
}

/// `rankscope triage`.
#[derive(Clone, Debug, Args)]
pub struct Triage {
    /// Write reports in this directory [default: rankscope-report- and the number of the batch job or process]
    #[arg(long, value_name = "DIR", help_heading = "Report")]
    pub report: Option<PathBuf>,

    /// Report a job that has written nothing and not moved for this long, such as 90s or 10m; 0: never [default: 10m]
    #[arg(long, value_name = "T", value_parser = parse_time, help_heading = "Report")]
    pub idle: Option<Duration>,

    /// Write a report this long before the batch system ends the job; 0: never [default: 1m, if the end is known]
    #[arg(long, value_name = "T", value_parser = parse_time, help_heading = "Report")]
    pub before_limit: Option<Duration>,

    /// Write at most this many core files, one for each group of ranks [default: 8 if ulimit -c allows any, else 0]
    #[arg(long, value_name = "N", help_heading = "Report")]
    pub cores: Option<u32>,

    /// The job, as for `rankscope run`.
    #[command(flatten)]
    pub run: Run,
}

impl Triage {
    /// The job that is asked for; its ranks do not stop at their start.
    pub fn job(&self) -> Result<Job, UsageError> {
        if self.run.common.stop_at.is_some() {
            return usage("--stop-at does not apply to triage: ranks run until they fail");
        }
        let front = Front { config: None, log: None, ..self.run.common.front.clone() };
        if front != Front::default() {
            return usage("triage has no screen and no script: of their options, only --config and --log apply");
        }
        if self.run.save_as.is_some() {
            return usage("--save-as does not apply to triage: rankscope run keeps a job");
        }
        let mut run = self.run.clone();
        run.common.stop_at = Some(StopAt::Nowhere);
        if run.stdin.iter().any(|option| option.source == InputSource::Sent) {
            return usage("--stdin terminal does not apply to triage: nobody types");
        }
        run.stdin.insert(0, InputOption { ranks: None, source: InputSource::Nothing });
        let mut job = run.job()?;
        job.tree.unattended = true;
        Ok(job)
    }

    /// The options of the report.
    pub fn wishes(&self) -> Wishes {
        let Self { report, idle, before_limit, cores, .. } = self.clone();
        Wishes { report, idle, before_limit, cores }
    }
}

/// Reads a time: seconds, or with a unit.
fn parse_time(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match text.get(number.len()..).unwrap_or("") {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        unit => return Err(format!("unknown unit {unit:?}: use s, m, h or d")),
    };
    match number.parse::<f64>() {
        Ok(number) if (0.0..=1e8).contains(&(number * seconds)) => Ok(Duration::from_secs_f64(number * seconds)),
        _ => Err("expected a time, such as 90s, 10m or 2h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs_f64());
        for (text, time) in [("90", 90.0), ("90s", 90.0), ("0.5m", 30.0), ("2h", 7200.0), ("1d", 86_400.0), ("0", 0.0)]
        {
            assert_eq!(seconds(text), Ok(time), "{text}");
        }
        for text in ["", "m", "-1", "ten", "5 m", "NaN", "1y", "1e99"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
