//! The command line of `rankscope attach`.

use super::job::{Common, EngineName, Job};
use super::usage_error::{UsageError, usage};
use clap::Args;
use model::{LaunchSpec, StopAt};
use protocol::{AttachTarget, LaunchPlan};

pub(crate) const ATTACH_HELP: &str = "Attaching stops the processes (--stop-at none: they keep running). Ranks are \
    numbered as in the processes'\nenvironments, else in the order given. Detaching lets them \
    continue.\n\nExamples:\n  rankscope attach 4711 4712         two processes\n  rankscope attach --starter 4700 \
       all processes of this mpirun or srun, on all its hosts\n  rankscope attach --job 123.0       the tasks of \
    a Slurm step, on all its nodes";

const USAGE: &str = "rankscope attach [OPTIONS] <PID>...
       rankscope attach [OPTIONS] --starter <PID>
       rankscope attach [OPTIONS] --job <SLURM_JOB_ID>";

/// `rankscope attach`.
#[derive(Clone, Debug, Args)]
#[command(override_usage = USAGE)]
pub struct Attach {
    /// Common options.
    #[command(flatten)]
    pub common: Common,

    /// The process ids to attach to
    #[arg(value_name = "PID", required_unless_present_any = ["starter", "job"])]
    #[arg(conflicts_with_all = ["starter", "job"], value_parser = clap::value_parser!(i32).range(1..))]
    pub pids: Vec<i32>,

    /// The launcher whose job to attach to: an mpirun or srun on this host
    #[arg(long, value_name = "PID", conflicts_with = "job", value_parser = clap::value_parser!(i32).range(1..))]
    pub starter: Option<i32>,

    /// The Slurm job whose tasks to attach to, on all its nodes; with .STEP only that step
    #[arg(long, value_name = "SLURM_JOB_ID", value_parser = parse_job)]
    pub job: Option<String>,
}

fn parse_job(text: &str) -> Result<String, String> {
    let (job, step) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(job) && is_number(step) {
        return Ok(text.to_owned());
    }
    Err("expected a Slurm job, such as 123, or a step, such as 123.0".to_owned())
}

impl Attach {
    /// The job that is asked for.
    pub fn job(&self) -> Result<Job, UsageError> {
        self.common.check()?;
        let engine = self.common.engine()?;
        if engine == EngineName::Fake {
            return usage("--engine fake has no processes to attach to");
        }
        if self.common.ranks.is_some() {
            return usage("-n does not apply to attach: the processes already have their ranks");
        }
        let stop_at = self.common.stop_at.clone().unwrap_or_default();
        if let StopAt::Location(place) = &stop_at {
            return usage(format!(
                "--stop-at {place} does not apply to attach: the process stops at once, or not at all with \
                    --stop-at none; set a breakpoint at {place} instead"
            ));
        }
        let (target, words) = match (&self.starter, &self.job) {
            (Some(pid), _) => (AttachTarget::Starter(*pid), vec!["--starter".to_owned(), pid.to_string()]),
            (_, Some(job)) => (AttachTarget::SlurmJob(job.clone()), vec!["--job".to_owned(), job.clone()]),
            _ => (AttachTarget::Processes(self.pids.clone()), self.pids.iter().map(ToString::to_string).collect()),
        };
        let running_start = stop_at == StopAt::Nowhere;
        let plan = LaunchPlan::Attach { target, spec: LaunchSpec { stop_at, ..LaunchSpec::default() } };
        let command = std::iter::once("attach".to_owned()).chain(words).collect();
        let (tree, variables) = (self.common.tree(engine), self.common.variables());
        Ok(Job { plan, tree, command, running_start, variables, again: None, reads_nothing: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::subcommands::{Action, Cli};
    use clap::Parser;

    fn job(line: &str) -> Result<Job, String> {
        let words = std::iter::once("rankscope attach").chain(std::iter::once(line)).flat_map(str::split_whitespace);
        match Cli::try_parse_from(words).map_err(|error| error.to_string())?.action {
            Some(Action::Attach(attach)) => attach.job().map_err(|error| error.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_attached_to_is_read() {
        for (line, wanted) in [
            ("7 8", AttachTarget::Processes(vec![7, 8])),
            ("--starter 9", AttachTarget::Starter(9)),
            ("--job 12.3 --stop-at none", AttachTarget::SlurmJob("12.3".to_owned())),
        ] {
            let job = job(line).unwrap();
            let LaunchPlan::Attach { target, .. } = job.plan else { panic!("{job:?}") };
            assert_eq!((target, job.running_start), (wanted, line.contains("none")));
        }
        assert_eq!(job("--job 12").unwrap().command, ["attach", "--job", "12"]);
    }

    #[test]
    fn what_cannot_be_attached_to_is_refused() {
        for line in ["", "0", "x", "7 --starter 8", "--job 1 --starter 8", "--job 1.x", "7 -n 2", "7 --engine fake"] {
            assert!(job(line).is_err(), "{line}");
        }
        assert!(job("7 --stop-at solve.c:3").unwrap_err().contains("set a breakpoint"));
    }
}
