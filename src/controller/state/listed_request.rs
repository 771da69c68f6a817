//! Requests for a debugger as shown to the user.

use protocol::reverse::{ConnectRequest, RequestId};

/// A request as last seen in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRequest {
    /// The request's id, from its file name.
    pub id: RequestId,
    /// A short number: fixed as long as this front end runs, and never reused.
    pub number: u32,
    /// The content of its file; fields are empty if they could not be read.
    pub request: ConnectRequest,
    /// The time it has waited, in seconds: approximate, since the clocks of two hosts differ.
    pub age: u64,
    /// The time since its last sign of life, in seconds.
    pub silence: u64,
    /// The reason why it cannot be accepted; `None` if it can.
    pub fault: Option<NotAcceptable>,
}

/// The reasons why a request cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAcceptable {
    /// No sign of life for too long: the process is usually gone.
    Stale,
    /// Another front end has answered it, and the process will notice soon.
    Answered,
    /// The file is unusable; holds a sentence.
    File(String),
}

impl ListedRequest {
    /// True if it is stale.
    pub fn is_stale(&self) -> bool {
        self.fault == Some(NotAcceptable::Stale)
    }

    /// True if it can be accepted.
    pub fn is_open(&self) -> bool {
        self.fault.is_none()
    }

    /// Returns a sentence why it cannot be accepted; `None` if it can.
    pub fn why_not(&self) -> Option<String> {
        Some(match self.fault.as_ref()? {
            NotAcceptable::Stale => {
                format!("it is stale: no heartbeat for {}; rejecting removes it", seconds(self.silence))
            }
            NotAcceptable::Answered => "another front end has already answered it".to_owned(),
            NotAcceptable::File(why) => why.clone(),
        })
    }

    /// Returns program and arguments joined by blanks, for display; `?` without a program.
    pub fn command(&self) -> String {
        if self.request.program.is_empty() { "?".to_owned() } else { self.request.command().join(" ") }
    }

    /// Returns its batch jobs: `slurm 4711`.
    pub fn jobs(&self) -> String {
        let jobs = self.request.jobs.iter().map(|job| format!("{} {}", job.system, job.id));
        jobs.collect::<Vec<_>>().join(", ")
    }
}

/// Formats a number of seconds: `7 s`, `3 min`, `2 h 5 min`.
pub fn seconds(count: u64) -> String {
    match count {
        0..120 => format!("{count} s"),
        120..7200 => format!("{} min", count / 60),
        7200..172_800 => format!("{} h {} min", count / 3600, count / 60 % 60),
        _ => format!("{} days", count / 86_400),
    }
}

/// A task for the watcher of the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Look at the directory now.
    List,
    /// Accept this request; `None`: the only one.
    Accept(Option<String>),
    /// Reject a request, with an optional reason.
    Reject(String, Option<String>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_at_a_glance() {
        let shown = [0, 119, 120, 7199, 7200, 90_061, 200_000].map(seconds);
        assert_eq!(shown, ["0 s", "119 s", "2 min", "119 min", "2 h 0 min", "25 h 1 min", "2 days"]);
    }
}
