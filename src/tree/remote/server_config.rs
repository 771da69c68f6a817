//! The configuration of a server on another host. It arrives on the server's standard input with the key, or lies in
//! the directory that all hosts share, beside the key: never on a command line.

use crate::arguments::EngineChoice;
use crate::error::{TreeError, io_fault};
use crate::own_program::host_name;
use crate::routing::dialling::{Dialling, Sign};
use crate::routing::topology::Shape;
use protocol::{DirectoryError, PortRange, ServerIndex, SessionDirectory, SessionInfo, SessionKey, own_file};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Maximum bytes of a configuration; a peer that sends more is not rankscope.
const LONGEST: u64 = 1 << 24;
/// Stands for standard input instead of a path.
const INPUT: &str = "-";
/// Maximum length of a session's name, in characters.
const LONGEST_NAME: usize = 64;

/// A server and its host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Post {
    /// Index of the server in the tree.
    pub server: ServerIndex,
    /// The host's name as given by the user, the launcher or Slurm.
    pub host: String,
}

/// The configuration of servers on other hosts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerConfig {
    /// Name of the session's directory on the master's host.
    pub session: String,
    /// The session's description, as in its directory.
    pub info: SessionInfo,
    /// The servers that read this configuration.
    pub posts: Vec<Post>,
    /// Number of servers in the tree.
    pub size: u32,
    /// `host:port` of the master, or several separated by commas.
    pub master: String,
    /// The engine that debugs the ranks.
    pub engine: EngineChoice,
    /// The shape of the tree of servers.
    pub shape: Shape,
    /// The ports that a server may listen on; `None` for any port.
    pub ports: Option<PortRange>,
    /// Lists the servers' addresses; otherwise they choose their own.
    pub routing_file: Option<PathBuf>,
    /// The direction in which links of the tree are dialled.
    pub dialling: Dialling,
}

/// A configuration with its key, as sent through a pipe.
#[derive(Serialize, Deserialize)]
struct Letter {
    /// In hexadecimal digits.
    key: String,
    #[serde(flatten)]
    charter: ServerConfig,
}

/// A configuration after its server has read it.
pub struct Taken {
    /// The configuration as read.
    pub charter: ServerConfig,
    /// The entry for this server.
    pub post: Post,
    /// The session directory made on this host for this server alone.
    pub directory: SessionDirectory,
    /// Where the server writes its address, if it is to be dialled.
    pub sign: Sign,
}

impl ServerConfig {
    /// Encodes the configuration and the key as one line, for a pipe.
    pub fn line(&self, key: &SessionKey) -> Result<String, TreeError> {
        let key = key.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let text = serde_json::to_string(&Letter { key, charter: self.clone() });
        text.map(|text| text + "\n").map_err(|error| TreeError::Other(error.to_string()))
    }

    /// Writes the configuration beside the key.
    pub fn write(&self, meeting: &SessionDirectory) -> Result<(), TreeError> {
        let path = path_in(meeting);
        let text = serde_json::to_vec(self).map_err(|error| TreeError::Other(error.to_string()))?;
        own_file::replace(&path, &text).map_err(io_fault(format!("write {}", path.display())))
    }

    /// Reads the configuration from standard input (`-`) or from the directory that hosts share, and makes the
    /// session's directory of this host.
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

    /// Returns the server for a host, which has a name and perhaps another one as a Slurm node.
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
        // The server's number comes first: names of hosts may be long, and several servers may share a directory.
        let name: String =
            format!("{}.{}.", self.session, post.server.0).chars().chain(host).take(LONGEST_NAME).collect();
        let directory = match SessionDirectory::create_in(base, Some(&name)) {
            // Left by a server of an earlier job that was killed.
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
