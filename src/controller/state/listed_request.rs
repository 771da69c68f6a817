//! A request as it is shown.

use protocol::reverse::{ConnectRequest, RequestId};

/// A request at one look into the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRequest {
    /// What it is called.
    pub id: RequestId,
    /// A short name: the same for as long as this front end looks, and never another's.
    pub number: u32,
    /// What it says; fields are empty where nothing could be read.
    pub request: ConnectRequest,
    /// How long it has waited, in seconds: by our clock and the time it gives, so never too exact.
    pub age: u64,
    /// How long it has given no sign of life, in seconds.
    pub silence: u64,
    /// Why it cannot be accepted.
    pub fault: Option<NotAcceptable>,
}

/// Why a request cannot be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAcceptable {
    /// No sign of life for too long: the process is gone as a rule.
    Stale,
    /// Somebody has answered it, and the process will see that in a moment.
    Answered,
    /// What is in the file; a sentence.
    File(String),
}

impl ListedRequest {
    /// Whether it counts as dead.
    pub fn is_stale(&self) -> bool {
        self.fault == Some(NotAcceptable::Stale)
    }

    /// Whether it can be accepted.
    pub fn is_open(&self) -> bool {
        self.fault.is_none()
    }

    /// A sentence why it cannot be accepted.
    pub fn why_not(&self) -> Option<String> {
        Some(match self.fault.as_ref()? {
            NotAcceptable::Stale => {
                format!("it is stale: no heartbeat for {}; rejecting removes it", seconds(self.silence))
            }
            NotAcceptable::Answered => "another front end has already answered it".to_owned(),
            NotAcceptable::File(why) => why.clone(),
        })
    }

    /// Program and arguments, as one reads them.
    pub fn command(&self) -> String {
        if self.request.program.is_empty() { "?".to_owned() } else { self.request.command().join(" ") }
    }

    /// Its batch jobs: `slurm 4711`.
    pub fn jobs(&self) -> String {
        let jobs = self.request.jobs.iter().map(|job| format!("{} {}", job.system, job.id));
        jobs.collect::<Vec<_>>().join(", ")
    }
}

/// A number of seconds as one reads it: `7 s`, `3 min`, `2 h 5 min`.
pub fn seconds(count: u64) -> String {
    match count {
        0..120 => format!("{count} s"),
        120..7200 => format!("{} min", count / 60),
        7200..172_800 => format!("{} h {} min", count / 3600, count / 60 % 60),
        _ => format!("{} days", count / 86_400),
    }
}

/// Something that needs the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Look now.
    List,
    /// Take this one; none named: the only one.
    Accept(Option<String>),
    /// Send it away.
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
