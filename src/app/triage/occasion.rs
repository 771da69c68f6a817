//! Whether the state of a job is an occasion for a report.

use controller::Verdict;
use controller::report::{Content, Report, text_lines};
use controller::state::{State, StateKind};
use model::aif::FormatOptions;
use model::{ProcessSet, ProcessState, StopReason};

/// Signals by which a program fails. SIGPIPE is not among them: programs that ignore it are stopped for it, too.
const FATAL: [&str; 8] = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSYS", "SIGXCPU", "SIGXFSZ"];
/// Signals by which launchers and batch systems end ranks.
const SENT: [&str; 4] = ["SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP"];

/// The ranks of a job by what happened to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Stopped by a signal of their own, or at an error.
    pub(super) failed: ProcessSet,
    /// Stopped by a signal that ends them.
    pub(super) told: ProcessSet,
    /// Exited with another code than 0, killed, or lost.
    pub(super) odd: ProcessSet,
    /// Stopped by us.
    pub(super) halted: ProcessSet,
    /// Stopped for another reason: they are to continue.
    pub(super) passing: ProcessSet,
    /// Running or starting.
    pub(super) running: ProcessSet,
}

impl Seen {
    pub(super) fn of(state: &State) -> Self {
        let mut seen = Self::default();
        let at_rest = state.ranks.at_rest();
        for (ranks, state) in state.ranks.groups() {
            let (set, ranks) = match state {
                ProcessState::Stopped(stop) => {
                    let ranks = ranks.intersection(&at_rest);
                    match &stop.reason {
                        StopReason::Error => (&mut seen.failed, ranks),
                        StopReason::Signal(name) if FATAL.contains(&&*name.0) || name.is_of_gpu() => {
                            (&mut seen.failed, ranks)
                        }
                        StopReason::Signal(name) if SENT.contains(&&*name.0) => (&mut seen.told, ranks),
                        StopReason::Interrupted => (&mut seen.halted, ranks),
                        _ => (&mut seen.passing, ranks),
                    }
                }
                ProcessState::Exited(0) | ProcessState::Detached => continue,
                ProcessState::Exited(_) | ProcessState::Killed(_) | ProcessState::Failed(_) | ProcessState::Lost(_) => {
                    (&mut seen.odd, ranks.clone())
                }
                ProcessState::Running | ProcessState::Starting => (&mut seen.running, ranks.clone()),
            };
            set.extend_with(&ranks);
        }
        seen
    }

    /// The ranks that are stopped for whatever reason.
    pub(super) fn stopped(&self) -> ProcessSet {
        [&self.told, &self.halted, &self.passing].into_iter().fold(self.failed.clone(), |sum, set| sum.union(set))
    }
}

/// True if ranks ended otherwise than others.
pub(super) fn ended_differently(state: &State) -> bool {
    let ended = state.ranks.groups().filter(|(_, state)| state.is_ended());
    let mut kinds: Vec<&ProcessState> = ended.map(|(_, state)| state).collect();
    kinds.dedup();
    kinds.len() > 1 || !state.ranks.of_kind(StateKind::Lost).is_empty()
}

/// Returns a sentence about ranks: those that began it, if a launcher has told the others to end.
pub(super) fn reason(state: &State, ranks: &ProcessSet) -> String {
    let began = state.downfall.began_it();
    let shown = if began.is_empty() { ranks } else { &began };
    let content = Content::Status(state.status_groups(shown));
    let lines = text_lines(&Report { origin: None, content, limits: FormatOptions::default() });
    let more = lines.len().saturating_sub(1);
    let first = lines.into_iter().next().unwrap_or_else(|| "the job ended".to_owned());
    let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    format!("{}{rest}", first.replacen("stopped: ", "", 1))
}

/// Says what a job that does not move waits for; `guilty` are the ranks to look at, if those are known.
pub(super) fn in_words(verdict: Verdict, guilty: &ProcessSet) -> String {
    const LONGEST: usize = 40;
    let set = guilty.to_string();
    let (them, is, has, waits) = match guilty.len() {
        1 => (format!("rank {set}"), "is", "has", "waits"),
        count if set.len() > LONGEST => (format!("{count} ranks"), "are", "have", "wait"),
        _ => (format!("ranks {set}"), "are", "have", "wait"),
    };
    let (of_them, of_unknown) = match verdict {
        Verdict::Deadlock if guilty.len() > 1 => return format!("{them} wait for each other"),
        Verdict::Deadlock => return "ranks wait for each other".to_owned(),
        Verdict::Mismatch => return "ranks are in different collective operations".to_owned(),
        Verdict::None => return "no rank waits for another in MPI".to_owned(),
        Verdict::Ended => (format!("{has} ended"), "ranks wait for ranks that have ended"),
        Verdict::Lock => (format!("{waits} for a thread or process"), "ranks wait for a thread or process"),
        Verdict::Io => (format!("{is} reading or writing"), "ranks are reading or writing"),
        Verdict::Computing => (format!("{is} computing"), "ranks are computing"),
        Verdict::Running => ("could not be stopped".to_owned(), "ranks could not be stopped"),
        Verdict::Missing => (format!("{is} elsewhere"), "for whom ranks wait is not known"),
    };
    if guilty.is_empty() { of_unknown.to_owned() } else { format!("ranks wait for {them}, which {of_them}") }
}

/// Returns the status that a process can end with.
pub(super) fn low_byte(code: i32) -> u8 {
    u8::try_from(code & 0xff).unwrap_or(1)
}

/// Returns the exit status of copies that were started without a launcher: that of the first that failed.
pub(super) fn status_of_ranks(state: &State) -> u8 {
    let code = |state: &ProcessState| match state {
        ProcessState::Exited(code) => low_byte(*code),
        ProcessState::Killed(termination) => {
            let number = model::SIGNALS.iter().find(|row| row.1 == &*termination.signal.0).map_or(0, |row| row.0);
            u8::try_from(128 + number).unwrap_or(1)
        }
        ProcessState::Failed(_) | ProcessState::Lost(_) => 1,
        _ => 0,
    };
    let groups = state.ranks.groups().filter(|(_, state)| code(state) != 0);
    groups.min_by_key(|(ranks, _)| ranks.first()).map_or(0, |(_, state)| code(state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_hang_is_a_sentence() {
        let words = |verdict, ranks: &str| in_words(verdict, &ProcessSet::parse(ranks).unwrap_or_default());
        assert_eq!(words(Verdict::Missing, "58"), "ranks wait for rank 58, which is elsewhere");
        assert_eq!(words(Verdict::Ended, "1,3"), "ranks wait for ranks 1,3, which have ended");
        assert_eq!(words(Verdict::Deadlock, "1,3"), "ranks 1,3 wait for each other");
        assert_eq!(words(Verdict::Computing, "0"), "ranks wait for rank 0, which is computing");
        let odd: Vec<String> = (0..40).map(|rank| (rank * rank).to_string()).collect();
        assert_eq!(words(Verdict::Lock, &odd.join(",")), "ranks wait for 40 ranks, which wait for a thread or process");
        assert_eq!(words(Verdict::Missing, ""), "for whom ranks wait is not known");
        assert_eq!(words(Verdict::Io, ""), "ranks are reading or writing");
    }
}
