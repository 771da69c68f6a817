//! How an interactive front end is left.

use controller::State;
use controller::state::Phase;
use model::ProcessState;

/// How the screen, or the plain mode, was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The session has ended.
    Ended,
    /// The user left, or a signal arrived; the session, if there is one, continues without a front end: its name, with the
    /// host if a batch job runs it.
    Left(Option<String>),
    /// The user asked for the end of the session, and it had not ended when this was no longer waited for: its name, as above.
    Unconfirmed(Option<String>),
    /// The session could not be started or was lost; holds the reason.
    Failed(String),
}

impl Leave {
    /// Leaves the session running, if there is one; `host` is that of the batch job that runs it.
    pub(crate) fn alone(state: &State, host: Option<&str>) -> Self {
        Self::Left(session_name(state, host))
    }

    /// Leaves a session that was asked to end.
    pub(crate) fn unconfirmed(state: &State, host: Option<&str>) -> Self {
        Self::Unconfirmed(session_name(state, host))
    }

    /// Leaves because the user wants to.
    pub(crate) fn wanted(state: &State, host: Option<&str>) -> Self {
        match &state.phase {
            Phase::Connecting | Phase::Launching(_) | Phase::Live => Self::alone(state, host),
            Phase::Ended | Phase::Idle | Phase::Failed(_) => match start_failure(state) {
                Some(why) => Self::Failed(why),
                None => Self::Ended,
            },
        }
    }

    /// Returns how the front end ends by itself, if it does; `failure` is why no session started, and `is_leaving` says that
    /// the user has asked for the end.
    pub(crate) fn by_itself(state: &State, failure: Option<&str>, is_leaving: bool) -> Option<Self> {
        let ended = || failure.map_or(Self::Ended, |why| Self::Failed(why.to_owned()));
        match &state.phase {
            // What is shown is out of date, and no command works.
            Phase::Failed(why) if state.is_taken => {
                let name = state.session.as_ref().map_or_else(String::new, |session| format!(" {}", session.id));
                Some(Self::Failed(format!("{why}; to take it back: rankscope resume --take{name}")))
            }
            Phase::Ended => Some(ended()),
            // A link that closes while the session ends is its end.
            Phase::Failed(_) if is_leaving => Some(ended()),
            _ => None,
        }
    }
}

/// Returns the name of the session, with the host of the batch job that runs it.
fn session_name(state: &State, host: Option<&str>) -> Option<String> {
    let host = host.map_or_else(String::new, |host| format!(" (on {host})"));
    state.session.as_ref().map(|session| format!("{}{host}", session.id))
}

/// Returns why the job could not be started.
pub(super) fn start_failure(state: &State) -> Option<String> {
    match &state.phase {
        Phase::Failed(why) => Some([why, state.launcher.trim_end()].join("\n").trim_end().to_owned()),
        Phase::Live => state.ranks.groups().find_map(|(ranks, known)| match known {
            ProcessState::Failed(why) if ranks.len() == state.size() as usize => Some(why.clone()),
            _ => None,
        }),
        Phase::Ended | Phase::Idle | Phase::Connecting | Phase::Launching(_) => None,
    }
}

/// True while no rank has got further than its start: if that fails, there is nothing to show.
pub(super) fn is_starting(state: &State) -> bool {
    state.ranks.groups().all(|(_, known)| matches!(known, ProcessState::Starting | ProcessState::Failed(_)))
}
