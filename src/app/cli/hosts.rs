//! The options that name other hosts, and say how they are reached.

use super::usage_error::UsageError;
use clap::Args;
use protocol::host_word;
use std::path::PathBuf;

/// How other hosts are reached.
#[derive(Clone, Debug, Default, Args)]
pub struct Reaching {
    /// The command to reach another host; the host name is appended: "ssh -F FILE" [default: $RANKSCOPE_SSH, else ssh]
    #[arg(long, value_name = "COMMAND", help_heading = "Servers")]
    pub ssh: Option<String>,

    /// Copy rankscope to hosts that lack it, for the duration of the job
    #[arg(long, help_heading = "Servers")]
    pub stage: bool,

    /// Servers listen and parents connect to them, for hosts that cannot reach this one
    #[arg(long, help_heading = "Servers")]
    pub parents_dial: bool,
}

/// Hosts to start copies on.
#[derive(Clone, Debug, Default, Args)]
pub struct OnHosts {
    /// Start the copies on these hosts by ssh; a,b:4 has room for one on a and four on b
    #[arg(long, value_name = "LIST", conflicts_with_all = ["hostfile", "mpir"])]
    pub hosts: Option<String>,

    /// Read the hosts from a file, one per line: "b", "b:4" or "b slots=4"
    #[arg(long, value_name = "FILE", conflicts_with = "mpir")]
    pub hostfile: Option<PathBuf>,
}

/// A host of a list, and the room that the list says it has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    host: String,
    room: Option<u32>,
}

impl OnHosts {
    /// Whether there are any.
    pub fn is_given(&self) -> bool {
        self.hosts.is_some() || self.hostfile.is_some()
    }

    /// Hosts with their numbers of copies.
    pub(crate) fn spread(&self, ranks: Option<u32>) -> Result<Vec<(String, u32)>, UsageError> {
        let named = match (&self.hosts, &self.hostfile) {
            (Some(list), _) => list.split(',').map(named).collect::<Result<Vec<_>, _>>(),
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| UsageError(format!("--hostfile {}: {error}", path.display())))?;
                of_lines(&text).map_err(|why| format!("{}: {why}", path.display()))
            }
            (None, None) => Ok(Vec::new()),
        };
        named.and_then(|named| spread(named, ranks)).map_err(UsageError)
    }
}

/// `host`, `host:4`, `[fd00::1]:4`; an address of IPv6 without brackets has no room behind it.
fn named(text: &str) -> Result<Named, String> {
    let text = text.trim();
    let (host, room) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, rest.strip_prefix(':').or(Some(rest))),
        None if text.matches(':').count() > 1 => (text, None),
        None => text.split_once(':').map_or((text, None), |(host, room)| (host, Some(room))),
    };
    host_word(host).map_err(|error| format!("{error}; expected HOST or HOST:RANKS"))?;
    let room = room.map(|room| {
        room_of(room).ok_or_else(|| {
            format!(
                "{text:?}: expected a number of ranks, not \
        {room:?}"
            )
        })
    });
    Ok(Named { host: host.to_owned(), room: room.transpose()? })
}

fn room_of(text: &str) -> Option<u32> {
    text.parse().ok().filter(|room| *room > 0)
}

/// Lines as Open MPI and MPICH have them.
fn of_lines(text: &str) -> Result<Vec<Named>, String> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let mut host = named(first).map_err(|why| format!("line {number}: {why}"))?;
        for word in words {
            match word.split_once('=') {
                Some(("slots", room)) => {
                    let wanted = || format!("line {number}: expected a number of ranks, not {room:?}");
                    host.room = Some(room_of(room).ok_or_else(wanted)?);
                }
                // What launchers say beside it does not matter here.
                Some(_) => {}
                None => return Err(format!("line {number}: unexpected {word:?}; expected HOST slots=N")),
            }
        }
        found.push(host);
    }
    Ok(found)
}

/// Fills the room in order; where the list says none, copies are shared out evenly.
fn spread(named: Vec<Named>, ranks: Option<u32>) -> Result<Vec<(String, u32)>, String> {
    let mut hosts: Vec<Named> = Vec::new();
    for Named { host, room } in named {
        match hosts.iter_mut().find(|known| known.host == host) {
            // Twice in the list is twice the room.
            Some(known) => known.room = Some(known.room.unwrap_or(1).saturating_add(room.unwrap_or(1))),
            None => hosts.push(Named { host, room }),
        }
    }
    let count = hosts.len() as u32;
    if count == 0 {
        return Err("expected at least one host".to_owned());
    }
    let says_room = hosts.iter().any(|host| host.room.is_some());
    let most = hosts.iter().fold(0u32, |sum, host| sum.saturating_add(host.room.unwrap_or(1)));
    let mut left = ranks.unwrap_or(most);
    if says_room && left > most {
        return Err(format!("the hosts have room for {most} ranks, but {left} were requested"));
    }
    let (share, more) = (left / count, left % count);
    let spread = hosts.into_iter().zip(0..).map(|(host, i)| {
        let own = if says_room { host.room.unwrap_or(1).min(left) } else { share + u32::from(i < more) };
        left -= own.min(left);
        (host.host, own)
    });
    Ok(spread.filter(|(_, count)| *count > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(list: &str, ranks: Option<u32>) -> Result<String, String> {
        let hosts = OnHosts { hosts: Some(list.to_owned()), hostfile: None };
        let found = hosts.spread(ranks).map_err(|error| error.to_string())?;
        Ok(found.iter().map(|(host, count)| format!("{host}={count}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn copies_are_shared_out() {
        for (list, ranks, wanted) in [
            ("a,b", None, "a=1 b=1"),
            ("a,b,c", Some(8), "a=3 b=3 c=2"),
            ("a,b,c", Some(2), "a=1 b=1"),
            ("a:2,b:4", None, "a=2 b=4"),
            ("a:2,b:4", Some(3), "a=2 b=1"),
            ("a,b:4", Some(5), "a=1 b=4"),
            ("a,b,a", None, "a=2 b=1"),
            ("[fd00::1]:2,fd00::2", None, "fd00::1=2 fd00::2=1"),
        ] {
            assert_eq!(on(list, ranks).as_deref(), Ok(wanted), "{list} {ranks:?}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for list in ["", "a,,b", "a:0", "a:x", "-oProxyCommand=x", "a b", "[a]x"] {
            assert!(on(list, None).is_err(), "{list}");
        }
        assert!(on("a:2", Some(3)).unwrap_err().contains("room for 2"));
    }

    #[test]
    fn files_are_those_of_launchers() {
        let lines = "# two\na slots=2 max-slots=4\n\nb:3 # b\nc\n";
        let rooms: Vec<Option<u32>> = of_lines(lines).unwrap().into_iter().map(|host| host.room).collect();
        assert_eq!(rooms, [Some(2), Some(3), None]);
        for (text, words) in [("a b\n", "line 1"), ("a\nb slots=x", "line 2"), ("a\n\nb:0", "line 3")] {
            assert!(of_lines(text).unwrap_err().contains(words), "{text}");
        }
    }
}
