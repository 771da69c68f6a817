//! What a server that is started on another host is told. It comes on its standard input, key and all, or lies in the
//! directory that all hosts share, beside the key: never on a command line.

use crate::arguments::EngineChoice;
use crate::error::{TreeError, io_fault};
use crate::own_program::host_name;
use crate::routing::dialling::{Dialling, Sign};
use crate::routing::topology::Shape;
use protocol::{DirectoryError, PortRange, ServerIndex, SessionDirectory, SessionInfo, SessionKey, own_file};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A charter is short; whoever sends more is not ours.
const LONGEST: u64 = 1 << 24;
/// Instead of a path: standard input.
const INPUT: &str = "-";
/// A session's name may have so many characters.
const LONGEST_NAME: usize = 64;

/// One server and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Which.
    pub server: ServerIndex,
    /// Its host, as whoever named it does.
    pub host: String,
}

/// What servers on other hosts need to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerConfig {
    /// The name of the session's directory on the master's host.
    pub session: String,
    /// The session.
    pub info: SessionInfo,
    /// The servers that read this.
    pub posts: Vec<Post>,
    /// Servers of the tree.
    pub size: u32,
    /// `host:port` of the master, several with commas between.
    pub master: String,
    /// What debugs the ranks.
    pub engine: EngineChoice,
    /// The form of the tree.
    pub shape: Shape,
    /// The ports that a server may listen on; any by default.
    pub ports: Option<PortRange>,
    /// Where the servers are; otherwise they find places themselves.
    pub routing_file: Option<PathBuf>,
    /// Who dials whom.
    pub dialling: Dialling,
}

/// A charter on a pipe.
#[derive(Serialize, Deserialize)]
struct Letter {
    /// In hexadecimal digits.
    key: String,
    #[serde(flatten)]
    charter: ServerConfig,
}

/// A server that has read its charter.
pub struct Taken {
    /// What it said.
    pub charter: ServerConfig,
    /// Which server this is.
    pub post: Post,
    /// Made for it alone, on this host.
    pub directory: SessionDirectory,
    /// Where it says how it is reached, if it is to be dialled.
    pub sign: Sign,
}

impl ServerConfig {
    /// The line that says it on a pipe.
    pub fn line(&self, key: &SessionKey) -> Result<String, TreeError> {
        let key = key.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let text = serde_json::to_string(&Letter { key, charter: self.clone() });
        text.map(|text| text + "\n").map_err(|error| TreeError::Other(error.to_string()))
    }

    /// Lays it beside the key.
    pub fn write(&self, meeting: &SessionDirectory) -> Result<(), TreeError> {
        let path = path_in(meeting);
        let text = serde_json::to_vec(self).map_err(|error| TreeError::Other(error.to_string()))?;
        own_file::replace(&path, &text).map_err(io_fault(format!("write {}", path.display())))
    }

    /// Reads it from `-`, standard input, or from the directory that hosts share, and makes the session's directory of
    /// this host.
    pub fn take(source: &Path) -> Result<Taken, TreeError> {
        let ((charter, key), sign) = if source == Path::new(INPUT) {
            (Self::from_line(std::io::stdin())?, Sign::Output)
        } else {
            let meeting = SessionDirectory::open_path(source)?;
            let path = path_in(&meeting);
            let text = std::fs::read(&path).map_err(io_fault(format!("read {}", path.display())))?;
            ((read(&text)?, meeting.key()?), Sign::Directory(meeting.path().to_owned()))
        };
        let node = std::env::var("SLURMD_NODENAME").ok();
        let post = charter.post(&host_name(), node.as_deref())?;
        let directory = charter.make_directory(&SessionDirectory::base(), &post, &key)?;
        Ok(Taken { charter, post, directory, sign })
    }

    fn from_line(input: impl Read) -> Result<(Self, SessionKey), TreeError> {
        let mut line = Vec::new();
        BufReader::new(input.take(LONGEST))
            .read_until(b'\n', &mut line)
            .map_err(io_fault("read the server's configuration"))?;
        if line.is_empty() {
            return Err(TreeError::Other("expected the server's configuration on standard input".to_owned()));
        }
        let Letter { key, charter } = read(&line)?;
        let key =
            key_of(&key).ok_or_else(|| TreeError::Other("the server's configuration has no session key".to_owned()))?;
        Ok((charter, key))
    }

    /// The server that is meant for a host, which has a name and, as a node of Slurm, perhaps another.
    fn post(&self, host: &str, node: Option<&str>) -> Result<Post, TreeError> {
        if let [only] = self.posts.as_slice() {
            return Ok(only.clone());
        }
        let short = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let by = |name: &str| {
            let whole = self.posts.iter().find(|post| post.host == name);
            whole.or_else(|| self.posts.iter().find(|post| short(&post.host) == short(name)))
        };
        node.and_then(by).or_else(|| by(host)).cloned().ok_or_else(|| {
            let hosts: Vec<&str> = self.posts.iter().map(|post| post.host.as_str()).collect();
            TreeError::Other(format!(
                "no server is configured for {}, only for {}",
                node.unwrap_or(host),
                hosts.join(", ")
            ))
        })
    }

    fn make_directory(&self, base: &Path, post: &Post, key: &SessionKey) -> Result<SessionDirectory, TreeError> {
        let host = post.host.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' });
        // The server's number first: names of hosts may be long, and several servers may share a directory.
        let name: String =
            format!("{}.{}.", self.session, post.server.0).chars().chain(host).take(LONGEST_NAME).collect();
        let directory = match SessionDirectory::create_in(base, Some(&name)) {
            // What a server of the job before this one has left, which was killed.
            Err(DirectoryError::Exists(_)) => {
                SessionDirectory::open_path(&base.join(&name))?.remove()?;
                SessionDirectory::create_in(base, Some(&name))?
            }
            other => other?,
        };
        directory.keep_key(key)?;
        directory.write_info(&self.info)?;
        Ok(directory)
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, TreeError> {
    serde_json::from_slice(text)
        .map_err(|error| TreeError::Other(format!("cannot read the server's configuration: {error}")))
}

fn path_in(meeting: &SessionDirectory) -> PathBuf {
    meeting.path().join("servers.json")
}

fn key_of(digits: &str) -> Option<SessionKey> {
    let mut bytes = [0; SessionKey::LENGTH];
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(SessionKey::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charter(hosts: &[&str]) -> ServerConfig {
        let posts = (0..).map(ServerIndex).zip(hosts).map(|(server, host)| Post { server, host: (*host).to_owned() });
        ServerConfig {
            session: "abc".to_owned(),
            info: SessionInfo::default(),
            posts: posts.collect(),
            size: 9,
            master: "10.0.0.1:1,[fd00::1]:1".to_owned(),
            engine: EngineChoice::default(),
            shape: Shape::Wide(4),
            ports: "5-9".parse().ok(),
            routing_file: None,
            dialling: Dialling::Down,
        }
    }

    #[test]
    fn a_line_carries_everything() {
        let key = SessionKey::generate().unwrap();
        let line = charter(&["a"]).line(&key).unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        let (read, with) = ServerConfig::from_line(line.as_bytes()).unwrap();
        assert!(read == charter(&["a"]) && with == key);
    }

    #[test]
    fn what_is_no_charter_is_refused() {
        let without = serde_json::to_string(&charter(&["a"])).unwrap();
        let short = without.replacen('{', "{\"key\":\"00\",", 1);
        for (line, words) in [
            ("", "expected"),
            ("{}\n", "cannot read"),
            ("x", "cannot read"),
            (&without, "`key`"),
            (&short, "no session key"),
        ] {
            let Err(error) = ServerConfig::from_line(line.as_bytes()) else { panic!("{line}") };
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn a_host_finds_its_server() {
        let charter = charter(&["n1", "n2.site.org", "n3"]);
        let post = |host: &str, node| charter.post(host, node).map(|post| post.server.0).ok();
        assert_eq!(post("n3", None), Some(2));
        assert_eq!(post("n2", None), Some(1));
        assert_eq!(post("n1", Some("n3")), Some(2));
        assert_eq!(post("n9", None), None);
    }

    #[test]
    fn its_directory_has_the_key_and_replaces_what_was_left() {
        let base = tempfile::tempdir().unwrap();
        let (base, key) = (base.path().join("base"), SessionKey::generate().unwrap());
        let charter = charter(&["n/1 ü"]);
        for _ in 0..2 {
            let directory = charter.make_directory(&base, &charter.posts[0], &key).unwrap();
            assert_eq!(directory.name(), "abc.0.n_1__");
            assert!(directory.key().unwrap() == key);
        }
    }
}
