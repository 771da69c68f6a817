//! The steps of a report, one after another.

use std::collections::VecDeque;
use std::time::Duration;

/// The time between two looks that tells a slow job from one that is stuck.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// Ranks that crash together do so within this time.
const TOGETHER: Duration = Duration::from_millis(150);

/// Programs use these signals for themselves: ranks do not stop for them. The others are few.
const UNHEEDED: &str =
    "handle SIGUSR1 SIGUSR2 SIGPIPE SIGCONT SIGPROF SIGVTALRM SIGALRM SIGIO SIGWINCH nostop noprint pass";
/// The launcher of a rank that has exited kills the others within seconds.
const PATIENCE: &str = "set step-patience 3";

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Stops the running ranks.
    Halt,
    /// Finds out why ranks have not stopped.
    Insist,
    /// Finds out for whom ranks wait, for a later look.
    Look,
    Report(ReportStep),
    /// Continues the ranks that we have stopped.
    ResumeHalted,
    /// Continues all ranks, with their signals.
    ResumeAll,
    /// Continues all ranks with this signal.
    Signal(&'static str),
    Pause(Duration),
    /// Runs a command that changes settings.
    Set(&'static str),
    /// Reports a job in which nothing has moved since the last look.
    IfStuck,
}

/// A report to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportStep {
    pub(super) reason: String,
    /// The most core files.
    pub(super) cores: u32,
    /// Counted from 1; with core files a report is written twice.
    pub(super) number: u32,
}

/// The steps that are left.
#[derive(Debug, Default)]
pub(super) struct Acts {
    left: VecDeque<Act>,
    reports: u32,
}

impl Acts {
    pub(super) fn next(&mut self) -> Option<Act> {
        self.left.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    fn then(&mut self, acts: impl IntoIterator<Item = Act>) {
        self.left.extend(acts);
    }

    /// Makes the settings of an unattended job.
    pub(super) fn prepare(&mut self) {
        self.then([Act::Set(UNHEEDED), Act::Set(PATIENCE)]);
    }

    /// Reports ranks that have failed; then they fail.
    pub(super) fn report_failure(&mut self, reason: String, cores: u32) {
        self.then([Act::Pause(TOGETHER), Act::Halt]);
        self.report(reason, cores);
        self.then([Act::ResumeAll]);
    }

    /// Reports a job that continues afterwards, looked at twice.
    pub(super) fn report_and_go_on(&mut self, reason: String, cores: u32) {
        self.then([Act::Halt, Act::Look, Act::ResumeHalted, Act::Pause(BETWEEN_LOOKS), Act::Halt]);
        self.report(reason, cores);
        self.then([Act::ResumeHalted]);
    }

    /// Reports a job that a signal ends.
    pub(super) fn report_and_end(&mut self, reason: String, cores: u32, signal: &'static str) {
        self.then([Act::Halt, Act::Look, Act::ResumeHalted, Act::Pause(BETWEEN_LOOKS), Act::Halt]);
        self.report(reason, cores);
        self.then([Act::Signal(signal)]);
    }

    /// Reports a job that has ended.
    pub(super) fn report_end(&mut self, reason: String) {
        self.report(reason, 0);
    }

    /// Looks at a job that may hang.
    pub(super) fn first_look(&mut self) {
        self.then([Act::Halt, Act::Look, Act::ResumeHalted]);
    }

    /// Looks again, and reports it if nothing has moved.
    pub(super) fn second_look(&mut self) {
        self.then([Act::Halt, Act::Look, Act::ResumeHalted, Act::IfStuck]);
    }

    /// The report comes first: core files may take longer than the batch system waits.
    fn report(&mut self, reason: String, cores: u32) {
        self.then([Act::Insist]);
        self.reports += 1;
        let number = self.reports;
        if cores > 0 {
            self.then([Act::Report(ReportStep { reason: reason.clone(), cores: 0, number })]);
        }
        self.then([Act::Report(ReportStep { reason, cores, number })]);
    }
}
