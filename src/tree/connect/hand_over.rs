//! The end of the wait: this process becomes the master of the session. Process id, working directory, environment,
//! limits and standard files stay, so the batch step goes on.

use super::fault::{ConnectFault, system};
use super::key_file::key_file;
use nix::unistd::{AccessFlags, access};
use protocol::SessionKey;
use std::net::Ipv6Addr;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the program that this process becomes. It lies beside ours: another build could not talk to the front end.
pub(super) fn master_program() -> Result<PathBuf, ConnectFault> {
    let own = std::env::current_exe().map_err(system("find tvconnect's own program"))?;
    let path = own.with_file_name("rankscope-sdm");
    match access(&path, AccessFlags::X_OK) {
        Ok(()) => Ok(path),
        Err(_) => Err(ConnectFault::NoMaster(path.display().to_string())),
    }
}

/// Becomes the master, which dials these addresses. Returns only on failure.
pub(super) fn become_master(master: &Path, addresses: &[String], port: u16, key: &SessionKey) -> ConnectFault {
    let held = match key_file(key) {
        Ok(held) => held,
        Err(error) => return system("keep the session's key")(error),
    };
    let mut command = Command::new(master);
    command.arg("--master").arg("--key-fd").arg(held.as_raw_fd().to_string());
    for address in addresses {
        command.arg("--dial").arg(dialled(address, port));
    }
    system("become the master of the session")(command.exec())
}

/// Returns `host:port`, with the brackets that an IPv6 address needs.
fn dialled(address: &str, port: u16) -> String {
    if address.parse::<Ipv6Addr>().is_ok() { format!("[{address}]:{port}") } else { format!("{address}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_get_their_port() {
        assert_eq!(dialled("login1", 4142), "login1:4142");
        assert_eq!(dialled("10.0.0.1", 1), "10.0.0.1:1");
        assert_eq!(dialled("fe80::1", 1), "[fe80::1]:1");
    }
}
