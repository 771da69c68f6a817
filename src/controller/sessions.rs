//! The sessions of this user on this host: listed, and found by name.

use crate::controller::session::{host_name, is_alive};
use crate::protocol::{SessionDirectory, SessionInfo};
use serde_json::json;
use std::fmt::Write as _;

/// Sessions whose master lives, by name.
fn running() -> Vec<SessionInfo> {
    let host = host_name();
    let names = SessionDirectory::list().into_iter();
    let infos = names.filter_map(|name| SessionDirectory::open(&name).and_then(|directory| directory.info()).ok());
    // A directory without a master is what a crash left behind: nothing in it can be taken back.
    infos.filter(|info| info.host == host && is_alive(info.master)).collect()
}

/// What `rankscope sessions` prints.
pub fn sessions(json: bool) -> String {
    let sessions = running();
    if sessions.is_empty() && !json {
        return "there is no session\n".to_owned();
    }
    let mut text = String::new();
    for info in &sessions {
        let line = if json { json_line(info) } else { text_line(info) };
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

fn json_line(info: &SessionInfo) -> String {
    let object = json!({"type": "session", "session": info.session, "host": info.host, "master": info.master,
                        "size": info.size, "started": info.started, "command": info.command,
                        "attended": info.attended});
    object.to_string()
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
        assert!(json_line(&attended).contains(r#""attended":true"#));
    }
}
