//! The routing file: the addresses of the servers of a tree, on a file system that all of them see (wire, section 6).
//! Its first line is N, then N lines `index host port`.

use protocol::{ServerIndex, is_loopback};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Index of the server in the tree.
    pub server: ServerIndex,
    /// The host's name or address.
    pub host: String,
    /// The port on which the server listens for its children.
    pub port: u16,
}

impl Route {
    /// Returns `host:port`, as it is dialled.
    pub fn address(&self) -> String {
        // Only IPv6 addresses have colons; before a port they stand in brackets (RFC 3986, 3.2.2).
        if self.host.contains(':') && !self.host.starts_with('[') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

/// A complete routing file, ordered by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingFile {
    routes: Vec<Route>,
}

/// A reason why a routing file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutingFileError {
    /// Lines are missing, as while it is being written.
    #[error("the routing file is incomplete: {0} of {1} servers")]
    Incomplete(usize, u32),
    /// A line is not of the file's format.
    #[error("line {line} of the routing file: {message}")]
    Malformed {
        /// Line number, counted from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },
    /// The file was missing or incomplete until the time limit.
    #[error("waited {seconds} s for the routing file {path}: {message}")]
    TimedOut {
        /// The time limit.
        seconds: u64,
        /// The routing file.
        path: PathBuf,
        /// The state at the last look.
        message: String,
    },
}

const MOST_SERVERS: u32 = 1 << 20;
/// Interval between two looks at the file: a network file system does not report writes of another host.
const POLL: Duration = Duration::from_millis(100);

impl RoutingFile {
    /// Makes a file of these servers, ordered by index; `None` unless the indices are exactly 0…N-1.
    pub fn new(mut routes: Vec<Route>) -> Option<Self> {
        routes.sort_by_key(|route| route.server);
        let in_order = routes.iter().enumerate().all(|(i, route)| route.server.0 as usize == i);
        in_order.then_some(Self { routes })
    }

    /// Number of servers.
    pub fn servers(&self) -> u32 {
        self.routes.len() as u32
    }

    /// Returns `host:port` of a server.
    pub fn address(&self, server: ServerIndex) -> Option<String> {
        self.route(server).map(Route::address)
    }

    /// Returns the servers' addresses, without those not in the file.
    pub fn addresses(&self, servers: impl IntoIterator<Item = ServerIndex>) -> Vec<(ServerIndex, String)> {
        servers.into_iter().filter_map(|server| Some((server, self.address(server)?))).collect()
    }

    /// True if all servers have addresses that only their own host reaches.
    pub fn is_local(&self) -> bool {
        self.routes.iter().all(|route| is_loopback(&route.host))
    }

    /// Returns the line of a server.
    pub fn route(&self, server: ServerIndex) -> Option<&Route> {
        self.routes.get(server.0 as usize)
    }

    /// Parses the text of [`Self::print`], with the lines in any order. The last line counts only if its end is there,
    /// since the writer may be in the middle of it.
    pub fn parse(text: &str) -> Result<Self, RoutingFileError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines().enumerate().map(|(i, line)| (i + 1, line.trim())).filter(|(_, l)| !l.is_empty());
        let Some((line, first)) = lines.next() else { return Err(RoutingFileError::Incomplete(0, 0)) };
        let fault = |line: usize, message: String| RoutingFileError::Malformed { line, message };
        let servers: u32 = first
            .parse()
            .ok()
            .filter(|&n| n <= MOST_SERVERS)
            .ok_or_else(|| fault(line, format!("expected the number of servers, not {first:?}")))?;
        let mut routes = Vec::new();
        for (line, text) in lines {
            let mut words = text.split_whitespace();
            let (Some(index), Some(host), Some(port), None) = (words.next(), words.next(), words.next(), words.next())
            else {
                return Err(fault(line, "expected \"index host port\"".to_owned()));
            };
            let index: u32 = index.parse().ok().filter(|&i| i < servers).ok_or_else(|| {
                fault(
                    line,
                    format!(
                        "server {index} is \
                    out of range: the first line announces {servers} servers"
                    ),
                )
            })?;
            let port = port.parse().map_err(|_| fault(line, format!("invalid port {port:?}")))?;
            if routes.iter().any(|route: &Route| route.server.0 == index) {
                return Err(fault(line, format!("server {index} is listed twice")));
            }
            routes.push(Route { server: ServerIndex(index), host: host.to_owned(), port });
        }
        let found = routes.len();
        Self::new(routes).filter(|_| found == servers as usize).ok_or(RoutingFileError::Incomplete(found, servers))
    }

    /// Returns the text of the file.
    pub fn print(&self) -> String {
        let mut text = format!("{}\n", self.routes.len());
        for route in &self.routes {
            let _ = writeln!(text, "{} {} {}", route.server.0, route.host, route.port);
        }
        text
    }

    /// Waits until the file exists and is complete.
    pub async fn wait(path: &Path, limit: Duration) -> Result<Self, RoutingFileError> {
        let end = Instant::now() + limit;
        loop {
            let message = match tokio::fs::read_to_string(path).await {
                Err(error) => error.to_string(),
                Ok(text) => match Self::parse(&text) {
                    Ok(file) => return Ok(file),
                    Err(error @ RoutingFileError::Malformed { .. }) => return Err(error),
                    Err(error) => error.to_string(),
                },
            };
            if Instant::now() >= end {
                let path = path.to_owned();
                return Err(RoutingFileError::TimedOut { seconds: limit.as_secs(), path, message });
            }
            tokio::time::sleep(POLL).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_may_come_in_any_order() {
        let file = RoutingFile::parse("2\n1 node1 5001\n0 node0 5000\n").unwrap();
        assert_eq!(file.servers(), 2);
        assert_eq!(file.address(ServerIndex(1)).unwrap(), "node1:5001");
        assert_eq!(file.print(), "2\n0 node0 5000\n1 node1 5001\n");
        assert_eq!(RoutingFile::parse("0\n").unwrap().servers(), 0);
    }

    #[test]
    fn hosts_may_be_addresses() {
        let file = RoutingFile::parse("3\n0 10.0.0.1 5000\n1 fd00::1 5001\n2 [::1] 5002\n").unwrap();
        let servers = (0..4).map(ServerIndex);
        let addresses: Vec<String> = file.addresses(servers).into_iter().map(|(_, address)| address).collect();
        assert_eq!(addresses, ["10.0.0.1:5000", "[fd00::1]:5001", "[::1]:5002"]);
        assert!(!file.is_local());
        assert!(RoutingFile::parse("2\n0 localhost 1\n1 ::1 2\n").unwrap().is_local());
    }

    #[test]
    fn a_file_in_the_making_is_incomplete_and_not_wrong() {
        for text in ["", "2", "2\n", "2\n0 a 1\n", "2\n0 a 1\n1 b 50", "2\n0 a 1\n1 b"] {
            assert!(matches!(RoutingFile::parse(text), Err(RoutingFileError::Incomplete(..))), "{text:?}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line) in
            [("x\n", 1), ("2\n0 a\n", 2), ("2\n2 a 1\n", 2), ("2\n0 a 1\n0 b 2\n", 3), ("1\n0 a 99999\n", 2)]
        {
            let error = RoutingFile::parse(text).unwrap_err();
            assert!(matches!(error, RoutingFileError::Malformed { line: l, .. } if l == line), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(ports in proptest::collection::vec(1u16.., 0..20)) {
            let routes = ports.iter().enumerate();
            let routes = routes.map(|(i, &port)| Route { server: ServerIndex(i as u32), host: format!("n{i}"), port });
            let file = RoutingFile::new(routes.collect()).unwrap();
            let text = file.print();
            prop_assert_eq!(&RoutingFile::parse(&text).unwrap(), &file);
            for cut in 0..text.len() - 1 {
                prop_assert!(matches!(RoutingFile::parse(&text[..cut]), Err(RoutingFileError::Incomplete(..))));
            }
        }

        #[test]
        fn garbage_is_an_error_not_a_panic(text in "[0-9a-z \n]{0,40}") {
            let _ = RoutingFile::parse(&text);
        }
    }
}
