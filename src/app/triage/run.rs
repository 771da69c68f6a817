//! `rankscope triage`: starts the job and watches it.

use super::options::Plan;
use super::signals::Signals;
use super::watch::Watch;
use crate::batch::runner::status;
use crate::cli::job::Job;
use crate::complaint::complain;
use crate::config::Config;
use crate::front_end::{Target, connect, controller};
use protocol::LaunchPlan;

/// Runs a job to its end; returns its exit status, or that of a report that could not be written.
pub async fn triage(job: Job, plan: Plan, config: &Config) -> u8 {
    for warning in &config.warnings {
        complain(warning);
    }
    // A signal that comes during the start is not lost.
    let signals = Signals::listen();
    let has_launcher = !matches!(job.plan, LaunchPlan::Local { .. } | LaunchPlan::Hosts { .. });
    let target = Target::Job(Box::new(job));
    let session = match connect(&target).await {
        Ok(session) => session,
        Err(error) => {
            complain(&error.to_string());
            return status::NO_SESSION;
        }
    };
    let controller = controller(&target, session.as_ref(), config, true);
    let Some((link, closed)) = session.map(crate::link::session::Session::carry) else { return status::NO_SESSION };
    let ended = Box::pin(Watch::new(controller, link, plan, has_launcher).run(signals)).await;
    let _ = closed.await;
    ended
}
