//! The ports that a firewall leaves open.

use crate::{LinkError, Listener};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Ports to listen on; the first free one is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PortRange {
    first: u16,
    last: u16,
}

/// The text is no range of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a port or LOW-HIGH, from 1 to 65535")]
pub struct PortRangeError;

impl PortRange {
    /// Builds a range of a single port.
    pub fn one(port: u16) -> Self {
        Self { first: port, last: port }
    }

    /// True if the range has more than one port, so that several processes can listen.
    pub fn is_wide(self) -> bool {
        self.first < self.last
    }

    /// Listens on the first free port of the range; if none is free, returns the error of the last.
    pub async fn listen(self, host: &str) -> Result<Listener, LinkError> {
        let mut port = self.first;
        loop {
            match Listener::tcp(&format!("{host}:{port}")).await {
                Err(_) if port < self.last => port += 1,
                outcome => return outcome,
            }
        }
    }
}

/// Listens on the first free port of the range, or on any port, on all addresses of this host, IPv4 and IPv6.
pub fn listen_everywhere(ports: Option<PortRange>) -> Result<Listener, LinkError> {
    let PortRange { first, last } = ports.unwrap_or(PortRange { first: 0, last: 0 });
    let mut port = first;
    loop {
        match Listener::everywhere(port) {
            Err(_) if port < last => port += 1,
            outcome => return outcome,
        }
    }
}

impl FromStr for PortRange {
    type Err = PortRangeError;

    fn from_str(text: &str) -> Result<Self, PortRangeError> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let port = |digits: &str| digits.parse::<u16>().ok().filter(|&port| port > 0 && !digits.starts_with('+'));
        match (port(first), port(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Self { first, last }),
            _ => Err(PortRangeError),
        }
    }
}

impl TryFrom<String> for PortRange {
    type Error = PortRangeError;

    fn try_from(text: String) -> Result<Self, PortRangeError> {
        text.parse()
    }
}

impl From<PortRange> for String {
    fn from(range: PortRange) -> Self {
        range.to_string()
    }
}

impl fmt::Display for PortRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last {
            return write!(f, "{}", self.first);
        }
        write!(f, "{}-{}", self.first, self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_printed_is_read(one in 1u16.., other in 1u16..) {
            let range = PortRange { first: one.min(other), last: one.max(other) };
            prop_assert_eq!(range.to_string().parse(), Ok(range));
            prop_assert_eq!(one.to_string().parse(), Ok(PortRange::one(one)));
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "0", "70000", "5-4", "1-", "-1", "a", "1-2-3", "+1"] {
            assert_eq!(text.parse::<PortRange>(), Err(PortRangeError), "{text}");
        }
    }

    #[tokio::test]
    async fn a_port_that_is_taken_is_passed_over() {
        // Some two neighbouring ports are free.
        for _ in 0..100 {
            let taken = Listener::tcp("127.0.0.1:0").await.unwrap();
            let first = taken.port().unwrap();
            let range = PortRange { first, last: first.saturating_add(1) };
            assert!(PortRange::one(first).listen("127.0.0.1").await.is_err());
            if let Ok(listener) = range.listen("127.0.0.1").await {
                assert_eq!(listener.port(), Some(first + 1));
                return;
            }
        }
        panic!("no free pair of ports");
    }
}
