//! Ports for processes that are told on which one to listen. The kernel gives ports to connections from a range of its own
//! (`net.ipv4.ip_local_port_range`, from 32768 up): one of those that was free a moment ago may be taken when the process
//! listens.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

const FIRST: u32 = 15000;
const COUNT: u32 = 32768 - FIRST;

/// Each test binary begins elsewhere, so that ports of one that was killed are not met again at once.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A port on which nobody listens, other than all before.
#[track_caller]
pub fn free_port() -> u16 {
    for _ in 0..COUNT {
        let offset = std::process::id().wrapping_mul(64).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = u16::try_from(FIRST + offset % COUNT).unwrap();
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return port;
        }
    }
    panic!("no free port from {FIRST} up");
}
