//! The look of a rank's state: a letter and a role, so that colour is never alone; and the urgency of states, to show
//! the most urgent of several.

use super::theme::Role;
use controller::State;
use model::{Caught, ProcessState, Rank, StopReason};

/// The letters with their meanings, most urgent first.
pub const LETTERS: &[(char, &str)] = &[
    ('!', "stopped by a signal or an exception"),
    ('?', "lost: its server is unreachable"),
    ('F', "failed to start or attach"),
    ('K', "killed by a signal"),
    ('B', "stopped at a breakpoint, a watchpoint, or a completed barrier"),
    ('H', "held, as at a barrier that others have not reached: ignores go and step"),
    ('S', "stopped after a step, a halt, or its start"),
    ('R', "running"),
    ('.', "starting: not yet under the debugger"),
    ('X', "exited"),
    ('D', "detached: it continues without the debugger"),
];

/// The look of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankLook {
    /// One of [`LETTERS`].
    pub letter: char,
    /// The role that gives the colour.
    pub role: Role,
}

impl RankLook {
    /// The look of a state; a held rank has a letter of its own in some states.
    pub fn of(state: &ProcessState, held: bool) -> Self {
        let (letter, role) = match state {
            ProcessState::Stopped(stop) => match &stop.reason {
                StopReason::Signal(_)
                | StopReason::Error
                | StopReason::Caught(
                    _,
                    Caught::Thrown | Caught::Handled | Caught::Rethrown | Caught::Signal(_) | Caught::Float(_),
                ) => ('!', Role::ProcessSignal),
                _ if held => ('H', Role::ProcessHeld),
                StopReason::Breakpoint(_)
                | StopReason::Watchpoint(..)
                | StopReason::Caught(..)
                | StopReason::Barrier(_) => ('B', Role::ProcessBreakpoint),
                StopReason::Step
                | StopReason::Finished(_)
                | StopReason::Interrupted
                | StopReason::Start
                | StopReason::Attached => ('S', Role::ProcessStopped),
            },
            ProcessState::Running => ('R', Role::ProcessRunning),
            ProcessState::Starting => ('.', Role::ProcessStarting),
            ProcessState::Exited(_) => ('X', Role::ProcessExited),
            ProcessState::Killed(_) => ('K', Role::ProcessKilled),
            ProcessState::Detached => ('D', Role::ProcessExited),
            ProcessState::Failed(_) => ('F', Role::ProcessLost),
            ProcessState::Lost(_) => ('?', Role::ProcessLost),
        };
        Self { letter, role }
    }

    /// The look of a rank; that of a starting one if the rank is unknown.
    pub fn of_rank(state: &State, rank: Rank) -> Self {
        let known = state.ranks.state(rank).unwrap_or(&ProcessState::Starting);
        Self::of(known, state.held.contains(rank))
    }

    /// The position in [`LETTERS`]: lower is more urgent.
    pub fn urgency(self) -> usize {
        LETTERS.iter().position(|row| row.0 == self.letter).unwrap_or(LETTERS.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::SignalName;

    #[test]
    fn every_state_has_a_letter_of_the_table() {
        let states = [
            ProcessState::Starting,
            ProcessState::Running,
            ProcessState::Exited(3),
            ProcessState::Killed(SignalName("SIGKILL".into()).into()),
            ProcessState::Detached,
            ProcessState::Failed("no such file".into()),
            ProcessState::Lost("gone".into()),
        ];
        for state in &states {
            let look = RankLook::of(state, false);
            assert!(look.urgency() < LETTERS.len(), "{state:?}");
        }
    }
}
