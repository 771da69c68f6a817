//! Scans the directory of requests. Reads a file when it is new or has changed; otherwise a scan is one directory
//! listing and the files' times. Removes orphaned files.

use controller::state::{ListedRequest, NotAcceptable};
use protocol::reverse::{
    ConnectDirectory, ConnectError, ConnectRequest, LARGEST_REQUEST, Pulse, RequestId, RequestReading, STALE_AFTER,
    Stamp, boot_id, host_name, is_temporary,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
struct Known {
    stamp: Stamp,
    reading: Result<RequestReading, String>,
    pulse: Pulse,
}

/// Keeps what is known of the directory between scans.
#[derive(Debug)]
pub(super) struct Scanner {
    path: PathBuf,
    known: BTreeMap<RequestId, Known>,
    /// Files that seem orphaned, and since when.
    left: BTreeMap<String, Instant>,
    /// Numbers shown to the user.
    numbers: BTreeMap<RequestId, u32>,
    highest: u32,
}

impl Scanner {
    /// Creates a scanner for a directory, which need not exist.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, known: BTreeMap::new(), left: BTreeMap::new(), numbers: BTreeMap::new(), highest: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Scans the directory; returns the requests, the oldest first. A missing directory has none.
    pub(super) fn scan(&mut self, now: SystemTime, at: Instant) -> Result<Vec<ListedRequest>, ConnectError> {
        let directory = match ConnectDirectory::open(&self.path) {
            Ok(directory) => directory,
            Err(error) if error.is_absent() => {
                self.known.clear();
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let names = directory.names()?;
        let answered: BTreeSet<RequestId> = names.iter().filter_map(|name| RequestId::of_response_file(name)).collect();
        let ids: BTreeSet<RequestId> = names.iter().filter_map(|name| RequestId::of_request_file(name)).collect();
        self.known.retain(|id, _| ids.contains(id));
        let mut listed = Vec::new();
        for id in &ids {
            let Some(stamp) = directory.stamp(&id.request_file())? else {
                self.known.remove(id);
                continue;
            };
            self.look_at(&directory, id, stamp, at);
            let Some(known) = self.known.get(id) else { continue };
            if known.pulse.is_stale(now, at) && is_gone(known) {
                directory.remove(&id.request_file())?;
                directory.remove(&id.response_file())?;
                self.known.remove(id);
                continue;
            }
            listed.push(known.listed(id, answered.contains(id), now, at));
        }
        let orphans = answered.difference(&ids).map(RequestId::response_file);
        let unfinished = names.iter().filter(|name| is_temporary(name)).cloned();
        self.remove_left(&directory, &orphans.chain(unfinished).collect(), at)?;
        listed.sort_by(|a, b| (a.request.time, &a.id).cmp(&(b.request.time, &b.id)));
        self.number(&mut listed);
        Ok(listed)
    }

    /// Numbers the requests. A known one keeps its number, and a number is never reused: the user may be typing it.
    fn number(&mut self, listed: &mut [ListedRequest]) {
        let known = &self.known;
        self.numbers.retain(|id, _| known.contains_key(id));
        for request in listed {
            request.number = *self.numbers.entry(request.id.clone()).or_insert_with(|| {
                self.highest += 1;
                self.highest
            });
        }
    }

    fn look_at(&mut self, directory: &ConnectDirectory, id: &RequestId, stamp: Stamp, at: Instant) {
        if let Some(known) = self.known.get_mut(id)
            && known.stamp.same_text(&stamp)
        {
            known.stamp = stamp;
            known.pulse.seen(stamp.modified, at);
            return;
        }
        let read = directory.read(&id.request_file(), LARGEST_REQUEST);
        let reading = read.map(|(_, text)| ConnectRequest::parse(&text)).map_err(|error| error.to_string());
        self.known.insert(id.clone(), Known { stamp, reading, pulse: Pulse::new(stamp.modified, at) });
    }

    /// Removes orphaned files: a response without a request, or an unfinished file. They may contain keys.
    fn remove_left(
        &mut self,
        directory: &ConnectDirectory,
        left: &BTreeSet<String>,
        at: Instant,
    ) -> Result<(), ConnectError> {
        self.left.retain(|name, _| left.contains(name));
        for name in left {
            let since = *self.left.entry(name.clone()).or_insert(at);
            if at.saturating_duration_since(since) >= STALE_AFTER {
                directory.remove(name)?;
                self.left.remove(name);
            }
        }
        Ok(())
    }
}

impl Known {
    fn listed(&self, id: &RequestId, answered: bool, now: SystemTime, at: Instant) -> ListedRequest {
        let (request, fault) = match &self.reading {
            Ok(reading) => (reading.request.clone(), reading.fault.as_ref().map(ToString::to_string)),
            Err(why) => (ConnectRequest::default(), Some(why.clone())),
        };
        let fault = match fault.map(NotAcceptable::File) {
            _ if self.pulse.is_stale(now, at) => Some(NotAcceptable::Stale),
            Some(fault) => Some(fault),
            None if !id.is_plain() => {
                Some(NotAcceptable::File("its file name is not one that tvconnect writes".to_owned()))
            }
            None => answered.then_some(NotAcceptable::Answered),
        };
        let asked = UNIX_EPOCH + Duration::from_secs(request.time.min(u64::from(u32::MAX) * 4));
        let age = if request.time == 0 { Duration::ZERO } else { now.duration_since(asked).unwrap_or_default() };
        ListedRequest {
            id: id.clone(),
            number: 0,
            request,
            age: age.as_secs(),
            silence: self.pulse.silence(now, at).as_secs(),
            fault,
        }
    }
}

/// True if the process of a request is known to have ended.
fn is_gone(known: &Known) -> bool {
    known.reading.as_ref().is_ok_and(|reading| has_ended(&reading.request))
}

/// True if the process of a request ran on this kernel and has ended. A process elsewhere cannot be checked.
pub(super) fn has_ended(request: &ConnectRequest) -> bool {
    let here = request.host == host_name() && !request.boot_id.is_empty() && request.boot_id == boot_id();
    if !here || request.pid == 0 {
        return false;
    }
    // The state is the first word after the name (proc(5)), which ends with the last parenthesis.
    match std::fs::read_to_string(format!("/proc/{}/stat", request.pid)) {
        Ok(stat) => stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X'])),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests;
