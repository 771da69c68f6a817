//! The names and addresses of this host, its user and its boot.

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use nix::sys::socket::SockaddrLike as _;

/// Returns this host's name; empty if it has none.
pub fn host_name() -> String {
    nix::unistd::gethostname().map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
}

/// Returns the user's name, or the number if there is no name.
pub fn user_name() -> String {
    let uid = nix::unistd::geteuid();
    recorded(uid).map_or_else(|| uid.to_string(), |user| user.name)
}

/// Returns this host's record of a user. A statically linked program does not look users up: the lookup may load a
/// library of the host (nsswitch.conf(5)), and glibc aborts if that is of another version.
pub(super) fn recorded(uid: nix::unistd::Uid) -> Option<nix::unistd::User> {
    if cfg!(target_feature = "crt-static") { None } else { nix::unistd::User::from_uid(uid).ok().flatten() }
}

/// Returns the id of the running kernel (random(4)); empty if it has none.
pub fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// Returns the addresses of the interfaces that are up, without the loopback ones.
pub fn own_addresses() -> Vec<String> {
    let Ok(interfaces) = getifaddrs() else { return Vec::new() };
    let mut found = Vec::new();
    for interface in interfaces {
        if interface.flags.contains(InterfaceFlags::IFF_LOOPBACK) || !interface.flags.contains(InterfaceFlags::IFF_UP) {
            continue;
        }
        let Some(address) = interface.address else { continue };
        let ip = match address.family() {
            Some(nix::sys::socket::AddressFamily::Inet) => address.as_sockaddr_in().map(|a| a.ip().to_string()),
            // A link-local address means nothing without the name of the interface.
            Some(nix::sys::socket::AddressFamily::Inet6) => {
                let ip = address.as_sockaddr_in6().map(|a| a.ip());
                ip.filter(|ip| !ip.is_unicast_link_local()).map(|ip| ip.to_string())
            }
            _ => None,
        };
        found.extend(ip);
    }
    found.dedup();
    found
}
