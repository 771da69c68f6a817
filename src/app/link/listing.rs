//! The sessions of this user on this host: listed, and found by name.

use super::session::host_name;
use model::printable_json;
use protocol::{DirectoryError, SessionDirectory, SessionInfo, SessionLife};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The output of a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Text for standard output, as `rankscope sessions` prints it.
    pub text: String,
    /// Hints about the sessions listed.
    pub notes: Vec<String>,
    /// Errors while listing or cleaning.
    pub faults: Vec<String>,
}

impl Listing {
    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}

/// Returns the directories of this user's sessions, with the state of each.
fn all() -> Result<impl Iterator<Item = (SessionDirectory, SessionLife)>, DirectoryError> {
    let host = host_name();
    Ok(SessionDirectory::list()?.into_iter().map(move |directory| {
        let life = directory.life(&host);
        (directory, life)
    }))
}

/// Returns the sessions with a live master, by name.
fn running() -> Result<Vec<SessionInfo>, DirectoryError> {
    let here = |(_, life)| match life {
        SessionLife::Here(info) => Some(info),
        SessionLife::Gone(_) | SessionLife::Unknown => None,
    };
    Ok(all()?.filter_map(here).collect())
}

/// Lists the sessions that can be resumed, and the stale ones, whose master was killed. Changes nothing.
pub fn sessions(json: bool) -> Result<Listing, DirectoryError> {
    let mut listing = Listing::default();
    let mut stale = 0;
    for (directory, life) in all()? {
        let (info, is_stale) = match life {
            SessionLife::Here(info) => (info, false),
            SessionLife::Gone(info) => (named(&directory, info), true),
            SessionLife::Unknown => continue,
        };
        stale += usize::from(is_stale);
        let line = match json {
            true => json_line(&info, directory.path(), is_stale),
            false if is_stale => stale_line(&info),
            false => text_line(&info),
        };
        listing.line(&line);
    }
    if listing.text.is_empty() && !json {
        listing.line("no sessions");
    }
    if stale > 0 {
        let those = if stale == 1 { "the stale session".to_owned() } else { format!("{stale} stale sessions") };
        listing.notes.push(format!("to remove {those}: rankscope sessions --clean"));
    }
    Ok(listing)
}

/// Removes the files of stale sessions.
pub fn clean(json: bool) -> Result<Listing, DirectoryError> {
    let mut listing = Listing::default();
    for (directory, life) in all()? {
        let SessionLife::Gone(info) = life else { continue };
        let name = directory.name();
        let command = info.map(|info| info.command.join(" ")).filter(|command| !command.is_empty());
        let of = command.map_or_else(String::new, |command| format!(": {command}"));
        match directory.remove() {
            Ok(()) if json => listing.line(&json!({"type": "removed", "session": name}).to_string()),
            Ok(()) => listing.line(&format!("removed stale session {name} (its master was killed){of}")),
            Err(error) => listing.faults.push(format!("cannot remove stale session {name}: {error}")),
        }
    }
    if listing == Listing::default() && !json {
        listing.line("no stale sessions");
    }
    Ok(listing)
}

/// Returns the known data of a session whose master may have been killed before it wrote any.
fn named(directory: &SessionDirectory, info: Option<SessionInfo>) -> SessionInfo {
    let nothing = || SessionInfo { session: directory.name().to_owned(), host: host_name(), ..SessionInfo::default() };
    info.unwrap_or_else(nothing)
}

fn json_line(info: &SessionInfo, directory: &Path, is_stale: bool) -> String {
    let object = json!({"type": "session", "session": info.session, "host": info.host, "master": info.master,
                        "size": info.size, "started": info.started, "command": info.command,
                        "attended": info.attended && !is_stale, "stale": is_stale, "directory": directory});
    printable_json(&object.to_string()).into_owned()
}

fn text_line(info: &SessionInfo) -> String {
    let SessionInfo { session, host, master, size, started, .. } = info;
    let ranks = match size {
        0 => "no ranks yet".to_owned(),
        1 => "1 rank".to_owned(),
        _ => format!("{size} ranks"),
    };
    let front = if info.attended { "in use" } else { "free" };
    let age = age(*started);
    format!("{session}  {host} (process {master})  {ranks}  {age} old  {front}  {}", info.command.join(" "))
}

fn stale_line(info: &SessionInfo) -> String {
    let SessionInfo { session, host, .. } = info;
    format!("{session}  {host}  stale: its master was killed  {}", info.command.join(" ")).trim_end().to_owned()
}

/// Returns the session to resume: the one named by its name, its path or a unique beginning of its name, or the only
/// one.
pub fn chosen(name: Option<&str>) -> Result<String, String> {
    if let Some(name) = name {
        // A directory that cannot be listed may still have the session.
        let known: Vec<String> =
            all().map_or(Vec::new(), |all| all.map(|(found, _)| found.name().to_owned()).collect());
        return completed(name, &known, &running().unwrap_or_default());
    }
    let (free, taken): (Vec<_>, Vec<_>) =
        running().map_err(|error| error.to_string())?.into_iter().partition(|info| !info.attended);
    let found = if free.is_empty() { taken } else { free };
    match found.as_slice() {
        [] => Err("no session to resume".to_owned()),
        [one] => Ok(one.session.clone()),
        several => Err(which("several sessions", several)),
    }
}

/// Returns the running session that alone begins like this, unless one has just this name.
fn completed(name: &str, known: &[String], running: &[SessionInfo]) -> Result<String, String> {
    if known.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let begun: Vec<SessionInfo> = running.iter().filter(|info| info.session.starts_with(name)).cloned().collect();
    match begun.as_slice() {
        [] => Ok(name.to_owned()),
        [one] => Ok(one.session.clone()),
        several => Err(which(&format!("several sessions begin with {name:?}"), several)),
    }
}

/// Lists several sessions with their commands, to choose from.
fn which(found: &str, several: &[SessionInfo]) -> String {
    let mut words = format!("{found}; pick one with \"rankscope resume NAME\":");
    for info in several {
        let _ = write!(words, "\n  {}", text_line(info));
    }
    words
}

/// Formats the time since the start.
fn age(started: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match now.saturating_sub(started) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} days", seconds / 86400),
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
            master_start: 3,
            command: vec!["mpirun".into(), "./ring".into()],
            size: 4,
            started: 1,
            attended: false,
        };
        let old = format!("{} old", age(1));
        assert_eq!(text_line(&info), format!("abc  desk (process 7)  4 ranks  {old}  free  mpirun ./ring"));
        let attended = SessionInfo { attended: true, size: 0, ..info };
        let line = format!("abc  desk (process 7)  no ranks yet  {old}  in use  mpirun ./ring");
        assert_eq!(text_line(&attended), line);
        assert!(which("several sessions", &[attended.clone(), attended.clone()]).contains(&format!("\n  {line}")));
        let line = json_line(&attended, Path::new("/run/abc"), false);
        assert!(line.contains(r#""attended":true"#) && line.contains(r#""directory":"/run/abc""#), "{line}");
        assert_eq!(stale_line(&attended), "abc  desk  stale: its master was killed  mpirun ./ring");
        let stale = json_line(&attended, Path::new("/run/abc"), true);
        assert!(stale.contains(r#""attended":false"#) && stale.contains(r#""stale":true"#), "{stale}");
    }

    #[test]
    fn a_unique_beginning_names_a_session() {
        let running = ["ssr-41", "ssr-4", "tall-7"].map(|name| SessionInfo {
            session: name.into(),
            command: vec![format!("./{name}")],
            ..Default::default()
        });
        let known = ["ssr-41", "ssr-4", "tall-7", "gone-1"].map(str::to_owned);
        let of = |name| completed(name, &known, &running);
        assert_eq!(of("t").unwrap(), "tall-7");
        assert_eq!(of("ssr-4").unwrap(), "ssr-4", "a whole name is no beginning");
        assert_eq!(of("gone-1").unwrap(), "gone-1");
        // The reason comes from opening it.
        assert_eq!(of("nosuch").unwrap(), "nosuch");
        let several = of("ss").unwrap_err();
        assert!(several.starts_with("several sessions begin with \"ss\"; pick one"), "{several}");
        assert!(
            several.contains("./ssr-41") && several.contains("./ssr-4\n") || several.ends_with("./ssr-4"),
            "{several}"
        );
        assert!(!several.contains("tall"), "{several}");
    }
}
