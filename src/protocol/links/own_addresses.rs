//! Lists the addresses by which other hosts reach this one, separated by commas; any of them may work.

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The largest number of addresses listed.
const MOST: usize = 8;

/// Returns the addresses of this host that others may use, or its loopback address if it has no other (getifaddrs(3)).
pub fn own_addresses() -> Vec<IpAddr> {
    let mut found: Vec<IpAddr> = Vec::new();
    for interface in getifaddrs().into_iter().flatten() {
        let up = interface.flags.contains(InterfaceFlags::IFF_UP);
        if !up || interface.flags.contains(InterfaceFlags::IFF_LOOPBACK) {
            continue;
        }
        let Some(address) = interface.address else { continue };
        let v4 = address.as_sockaddr_in().map(|at| IpAddr::V4(at.ip()));
        let v6 = address.as_sockaddr_in6().map(|at| IpAddr::V6(at.ip()));
        found.extend(v4.or(v6).filter(is_useful).filter(|ip| !found.contains(ip)));
    }
    found.sort_by_key(IpAddr::is_ipv6);
    found.truncate(MOST);
    if found.is_empty() {
        found.push(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    found
}

/// False for link-local addresses: they need the name of an interface, which differs from host to host.
fn is_useful(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !ip.is_link_local() && !ip.is_unspecified(),
        IpAddr::V6(ip) => !ip.is_unicast_link_local() && *ip != Ipv6Addr::UNSPECIFIED,
    }
}

/// Formats all addresses with a port: `10.0.0.1:4000,[fd00::1]:4000`.
pub fn reachable(addresses: &[IpAddr], port: u16) -> String {
    let all: Vec<String> = addresses.iter().map(|ip| SocketAddr::new(*ip, port).to_string()).collect();
    all.join(",")
}

/// True if only this host can use the address.
pub fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_listed_with_their_port() {
        let ips: Vec<IpAddr> = ["10.0.0.1", "fd00::1"].iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(reachable(&ips, 4000), "10.0.0.1:4000,[fd00::1]:4000");
        assert!(!own_addresses().is_empty());
        assert!(is_loopback("127.0.0.1") && is_loopback("::1") && !is_loopback("10.0.0.1") && !is_loopback("any"));
    }

    #[test]
    fn addresses_of_one_link_are_left_out() {
        for useless in ["169.254.3.4", "fe80::1", "0.0.0.0", "::"] {
            assert!(!is_useful(&useless.parse().unwrap()), "{useless}");
        }
    }
}
