//! Selects a request, and writes the user's decision into the directory.

use controller::state::ListedRequest;
use protocol::reverse::{ConnectDirectory, ConnectResponse, RequestId};
use std::path::Path;

/// Returns the request that the user named; for `None`, the only one that can be accepted.
pub(super) fn choose<'a>(listed: &'a [ListedRequest], meant: Option<&str>) -> Result<&'a ListedRequest, String> {
    let Some(text) = meant else {
        let open: Vec<_> = listed.iter().filter(|request| request.is_open()).collect();
        return match open.as_slice() {
            [only] => Ok(only),
            [] => Err("no program is asking for a debugger".to_owned()),
            several => {
                Err(format!("{} requests are pending; pick one by its number or ID: {}", several.len(), names(several)))
            }
        };
    };
    if let Some(exact) = listed.iter().find(|request| request.id.text() == text) {
        return Ok(exact);
    }
    if let Some(numbered) = listed.iter().find(|request| text.parse() == Ok(request.number)) {
        return Ok(numbered);
    }
    let meant: Vec<_> = listed.iter().filter(|request| request.id.is_meant_by(text)).collect();
    match meant.as_slice() {
        [only] => Ok(only),
        [] => Err(format!("no request {text:?}; \"reverse list\" lists them")),
        several => Err(format!("{text:?} matches {} requests: {}", several.len(), names(several))),
    }
}

fn names(requests: &[&ListedRequest]) -> String {
    let shown = requests.iter().take(8).map(|request| format!("{} {}", request.number, request.id));
    let more = if requests.len() > 8 { vec!["…".to_owned()] } else { Vec::new() };
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// Rejects a request, or removes a stale one; returns a sentence about the result.
pub(super) fn reject(path: &Path, request: &ListedRequest, reason: Option<&str>) -> Result<String, String> {
    let directory = ConnectDirectory::open(path).map_err(|error| error.to_string())?;
    let id = &request.id;
    if request.is_stale() {
        // If its process wakes up, it writes the request again.
        let removed = directory.remove(&id.request_file()).and_then(|_| directory.remove(&id.response_file()));
        removed.map_err(|error| error.to_string())?;
        return Ok(format!("removed stale request {id}"));
    }
    let response = ConnectResponse::Reject { reason: reason.map(str::to_owned) };
    if write(&directory, request, &response)? {
        Ok(format!("rejected {id}"))
    } else {
        Err(format!("another front end has already answered {id}"))
    }
}

/// The error for a request that is gone, so that no response can reach it.
pub(super) fn gone(id: &RequestId) -> String {
    format!("{id} no longer exists: its process has ended, or the request was answered")
}

/// Writes a response; returns true if it was the first.
pub(super) fn write(
    directory: &ConnectDirectory,
    request: &ListedRequest,
    response: &ConnectResponse,
) -> Result<bool, String> {
    let there = directory.stamp(&request.id.request_file()).map_err(|error| error.to_string())?;
    if there.is_none() {
        return Err(gone(&request.id));
    }
    directory.write_once(&request.id.response_file(), &response.print()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use controller::state::NotAcceptable;
    use protocol::reverse::ConnectRequest;

    fn listed(name: &str, fault: Option<NotAcceptable>) -> ListedRequest {
        let id = RequestId::of_request_file(&format!("{name}.request.json")).unwrap();
        ListedRequest { id, number: 0, request: ConnectRequest::default(), age: 0, silence: 0, fault }
    }

    #[test]
    fn a_request_is_meant_by_its_number() {
        let mut all = [listed("n1-4-a2", None), listed("n1-45-bb", None), listed("2n-4-cc", None)];
        all.iter_mut().zip([1, 2, 7]).for_each(|(request, number)| request.number = number);
        let chosen = |text: &str| choose(&all, Some(text)).map(|request| request.id.to_string());
        assert_eq!(chosen("2").unwrap(), "n1-45-bb", "not what ends or begins with it");
        assert_eq!(chosen("7").unwrap(), "2n-4-cc");
        assert_eq!(chosen("a2").unwrap(), "n1-4-a2");
        // Not a number, but the beginning of a name.
        assert_eq!(chosen("2n").unwrap(), "2n-4-cc");
        assert!(chosen("3").unwrap_err().contains("reverse list"));
    }

    #[test]
    fn a_request_is_meant_by_as_much_as_only_one_has() {
        let all = [listed("n1-4-aa", None), listed("n1-45-bb", None), listed("n2-4-cc", Some(NotAcceptable::Stale))];
        let chosen = |text: Option<&str>| choose(&all, text).map(|request| request.id.to_string());
        assert_eq!(chosen(Some("bb")).unwrap(), "n1-45-bb");
        assert_eq!(chosen(Some("n1-4-")).unwrap(), "n1-4-aa");
        assert_eq!(chosen(Some("n2")).unwrap(), "n2-4-cc");
        assert!(chosen(Some("n1")).unwrap_err().contains("0 n1-4-aa, 0 n1-45-bb"));
        assert!(chosen(Some("n3")).unwrap_err().contains("reverse list"));
        assert!(chosen(None).unwrap_err().contains("2 requests are pending"));
        assert_eq!(choose(&all[1..], None).unwrap().id.text(), "n1-45-bb");
        assert!(choose(&all[2..], None).unwrap_err().contains("no program is asking"));
    }
}
