//! Where the front end receives the processes whose requests it accepts.

use protocol::{LinkError, Listener, PortRange, listen_everywhere};
use std::net::IpAddr;
use std::str::FromStr;

/// The ports to listen on, and the address that the response names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reception {
    /// `None`: any port.
    pub ports: Option<PortRange>,
    /// `None`: the addresses of this host, and the port that listens.
    pub address: Option<ForwardedAddress>,
}

impl Reception {
    /// Listens on all addresses of this host.
    pub(super) fn listen(&self) -> Result<Listener, LinkError> {
        listen_everywhere(self.ports)
    }

    /// Returns the hosts and the port that a process dials, if this host has these addresses and listens on that port.
    pub(super) fn dialled(&self, own: Vec<String>, listening: u16) -> (Vec<String>, u16) {
        match &self.address {
            None => (own, listening),
            Some(forwarded) => (vec![forwarded.host.clone()], forwarded.port.unwrap_or(listening)),
        }
    }
}

/// `HOST` or `HOST:PORT`: the end of a forwarded port, as ssh(1) makes with `-L` and `-R`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardedAddress {
    host: String,
    /// `None`: that of the front end.
    port: Option<u16>,
}

/// The text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected HOST or HOST:PORT; the port is from 1 to 65535, and an IPv6 address before it is in brackets")]
pub struct ForwardedAddressError;

impl FromStr for ForwardedAddress {
    type Err = ForwardedAddressError;

    fn from_str(text: &str) -> Result<Self, ForwardedAddressError> {
        let alone = |host: &str| Ok(Self { host: host.to_owned(), port: None });
        if text.parse::<IpAddr>().is_ok() {
            return alone(text);
        }
        let in_brackets = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (host, rest) = match in_brackets {
            Some((host, rest)) if host.parse::<IpAddr>().is_ok() => (host, rest),
            Some(_) => return Err(ForwardedAddressError),
            None => text.split_at(text.find(':').unwrap_or(text.len())),
        };
        let is_host = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/');
        match rest.strip_prefix(':') {
            _ if !is_host => Err(ForwardedAddressError),
            None if rest.is_empty() => alone(host),
            None => Err(ForwardedAddressError),
            Some(digits) => {
                let port = digits.parse().ok().filter(|port: &u16| *port > 0 && !digits.starts_with('+'));
                port.map(|port| Self { host: host.to_owned(), port: Some(port) }).ok_or(ForwardedAddressError)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_forwarded_port_replaces_those_of_this_host() {
        let own = || vec!["10.0.0.1".to_owned(), "login".to_owned()];
        let dialled = |text: &str| {
            let address = Some(text.parse().unwrap());
            Reception { address, ..Reception::default() }.dialled(own(), 4711)
        };
        assert_eq!(Reception::default().dialled(own(), 4711), (own(), 4711));
        assert_eq!(dialled("localhost:7007"), (vec!["localhost".to_owned()], 7007));
        assert_eq!(dialled("login.site"), (vec!["login.site".to_owned()], 4711));
        assert_eq!(dialled("[::1]:7007"), (vec!["::1".to_owned()], 7007));
        assert_eq!(dialled("::1"), (vec!["::1".to_owned()], 4711));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for wrong in
            ["", ":7007", "host:", "host:0", "host:70000", "host:+7", "[::1", "[host]:7", "a b", "::1:x:y", "a/b"]
        {
            assert!(wrong.parse::<ForwardedAddress>().is_err(), "{wrong}");
        }
    }
}
