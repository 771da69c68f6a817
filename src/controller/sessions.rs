//! The sessions of this user on this host: listed, and found by name.

use crate::controller::session::host_name;
use crate::model::printable_json;
use crate::protocol::{SessionDirectory, SessionInfo, SessionLife};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// What `rankscope sessions` prints.
    pub text: String,
    /// Sentences about what a crash had left behind and is removed now.
    pub gone: Vec<String>,
}

/// The directories of this user's sessions, with what is known of each.
fn all() -> impl Iterator<Item = (SessionDirectory, SessionLife)> {
    let host = host_name();
    let directories = SessionDirectory::list().into_iter().filter_map(|name| SessionDirectory::open(&name).ok());
    directories.map(move |directory| {
        let life = directory.life(&host);
        (directory, life)
    })
}

/// Sessions whose master lives, by name.
fn running() -> Vec<SessionInfo> {
    let here = |(_, life)| match life {
        SessionLife::Here(info) => Some(info),
        SessionLife::Gone(_) | SessionLife::Unknown => None,
    };
    all().filter_map(here).collect()
}

/// Lists the sessions that can be taken back. What is left of those that are gone is removed.
pub fn sessions(json: bool) -> Listing {
    let mut listing = Listing::default();
    for (directory, life) in all() {
        match life {
            SessionLife::Here(info) => {
                let line = if json { json_line(&info, directory.path()) } else { text_line(&info) };
                // Writing to a string does not fail.
                let _ = writeln!(listing.text, "{line}");
            }
            SessionLife::Gone(info) => listing.gone.push(clear_away(&directory, info.as_ref())),
            SessionLife::Unknown => {}
        }
    }
    if listing.text.is_empty() && !json {
        "there is no session\n".clone_into(&mut listing.text);
    }
    listing
}

fn clear_away(directory: &SessionDirectory, info: Option<&SessionInfo>) -> String {
    let name = directory.name();
    let of = info.map(|info| info.command.join(" ")).filter(|command| !command.is_empty());
    let of = of.map_or_else(String::new, |command| format!(" ({command})"));
    match directory.remove() {
        Ok(()) => format!("session {name}{of} is gone: its master did not end in order; what it left is removed"),
        Err(error) => format!("session {name}{of} is gone: its master did not end in order; {error}"),
    }
}

fn json_line(info: &SessionInfo, directory: &Path) -> String {
    let object = json!({"type": "session", "session": info.session, "host": info.host, "master": info.master,
                        "size": info.size, "started": info.started, "command": info.command,
                        "attended": info.attended, "directory": directory});
    printable_json(&object.to_string()).into_owned()
}

fn text_line(info: &SessionInfo) -> String {
    let SessionInfo { session, host, master, size, .. } = info;
    let ranks = match size {
        0 => "no ranks yet".to_owned(),
        1 => "1 rank".to_owned(),
        _ => format!("{size} ranks"),
    };
    let front = if info.attended { "a front end has it" } else { "free" };
    format!("{session}  {host} (process {master})  {ranks}  {front}  {}", info.command.join(" "))
}

/// The session that is meant: the one named, or the only one there is.
pub fn chosen(name: Option<&str>) -> Result<String, String> {
    if let Some(name) = name {
        return Ok(name.to_owned());
    }
    let (free, taken): (Vec<_>, Vec<_>) = running().into_iter().partition(|info| !info.attended);
    let mut names = if free.is_empty() { taken } else { free }.into_iter().map(|info| info.session);
    match (names.next(), names.next()) {
        (None, _) => Err("there is no session to resume".to_owned()),
        (Some(name), None) => Ok(name),
        (Some(one), Some(other)) => {
            let rest: String = names.map(|name| format!(", {name}")).collect();
            Err(format!("there are several sessions, say which: {one}, {other}{rest}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_it_is_and_who_has_it() {
        let info = SessionInfo {
            session: "abc".into(),
            host: "desk".into(),
            master: 7,
            command: vec!["mpirun".into(), "./ring".into()],
            size: 4,
            started: 1,
            attended: false,
        };
        assert_eq!(text_line(&info), "abc  desk (process 7)  4 ranks  free  mpirun ./ring");
        let attended = SessionInfo { attended: true, size: 0, ..info };
        assert_eq!(text_line(&attended), "abc  desk (process 7)  no ranks yet  a front end has it  mpirun ./ring");
        let line = json_line(&attended, Path::new("/run/abc"));
        assert!(line.contains(r#""attended":true"#) && line.contains(r#""directory":"/run/abc""#), "{line}");
    }
}
